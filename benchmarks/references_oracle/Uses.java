// Prints, one JSON object a line, what each identifier of a repository's Java means by javac's tree API: where it is declared, when
// that is in the repository and not local to a method. Nothing but the JDK need be at hand; what hangs on other libraries stays
// unresolved, and the last line counts such names.
//
//     java --add-exports jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED Uses.java REPOSITORY
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import com.sun.tools.javac.tree.JCTree;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.type.TypeKind;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

public class Uses {
  private static Path root;
  private static Trees trees;
  private static int unresolved;
  private static final PrintStream OUT = new PrintStream(System.out, false, StandardCharsets.UTF_8);

  public static void main(String[] arguments) throws IOException {
    root = Path.of(arguments[0]).toRealPath();
    List<Path> files;
    try (var walk = Files.walk(root)) {
      files = walk.filter(Uses::isSource).sorted().collect(Collectors.toList());
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    var manager = compiler.getStandardFileManager(problem -> { }, null, StandardCharsets.UTF_8);
    List<String> options = List.of("-proc:none", "-Xmaxerrs", "1", "-nowarn", "-XDshould-stop.ifError=FLOW", "-implicit:none");
    var task = (JavacTask) compiler.getTask(null, manager, problem -> { }, options, null, manager.getJavaFileObjectsFromPaths(files));
    List<CompilationUnitTree> units = new ArrayList<>();
    task.parse().forEach(units::add);
    task.analyze();
    trees = Trees.instance(task);
    for (CompilationUnitTree unit : units) {
      new Scanner(unit).scan(new TreePath(unit), null);
    }
    OUT.println("{\"unresolved\":" + unresolved + "}");
    OUT.flush();
  }

  private static boolean isSource(Path path) {
    String name = path.getFileName().toString();
    return name.endsWith(".java") && !name.equals("module-info.java") && Files.isRegularFile(path);
  }

  private static String relative(CompilationUnitTree unit) {
    return root.relativize(Path.of(unit.getSourceFile().toUri())).toString().replace('\\', '/');
  }

  private static CharSequence text(TreePath path) {
    try {
      return path.getCompilationUnit().getSourceFile().getCharContent(true);
    } catch (IOException problem) {
      return "";
    }
  }

  /** Reads one file. */
  private static class Scanner extends TreePathScanner<Void, Void> {
    private final CompilationUnitTree unit;
    private final String text;
    private final boolean isAscii;

    Scanner(CompilationUnitTree unit) throws IOException {
      this.unit = unit;
      text = unit.getSourceFile().getCharContent(true).toString();
      isAscii = text.getBytes(StandardCharsets.UTF_8).length == text.length();
    }

    @Override public Void visitIdentifier(IdentifierTree node, Void nothing) {
      boolean isMade = getCurrentPath().getParentPath().getLeaf() instanceof NewClassTree made && made.getIdentifier() == node;
      note(node.getName().toString(), ((JCTree) node).pos, isMade ? getCurrentPath().getParentPath() : null);
      return super.visitIdentifier(node, nothing);
    }

    @Override public Void visitMemberSelect(MemberSelectTree node, Void nothing) {
      note(node.getIdentifier().toString(), named(((JCTree) node).pos, node.getIdentifier().toString()), null);
      return super.visitMemberSelect(node, nothing);
    }

    @Override public Void visitMemberReference(MemberReferenceTree node, Void nothing) {
      note(node.getName().toString(), named(((JCTree) node).pos, node.getName().toString()), null);
      return super.visitMemberReference(node, nothing);
    }

    /** The name behind the dot or colons. */
    private int named(int pos, String name) {
      return text.indexOf(name, pos);
    }

    private void note(String name, int start, TreePath made) {
      if (start < 0 || !text.startsWith(name, start) || name.equals("this") || name.equals("super")) {
        return; // it was made by the compiler
      }
      Element element = trees.getElement(getCurrentPath());
      if (element == null || element.asType().getKind() == TypeKind.ERROR) {
        unresolved++;
        return;
      }
      List<String> places = new ArrayList<>();
      place(element, places);
      if (made != null && trees.getElement(made) != null) {
        place(trees.getElement(made), places);
      }
      if (places.isEmpty()) {
        return;
      }
      int bytes = isAscii ? start : text.substring(0, start).getBytes(StandardCharsets.UTF_8).length;
      OUT.printf("{\"path\":\"%s\",\"at\":%d,\"start\":%d,\"name\":\"%s\",%s,\"others\":[%s]}%n", relative(unit),
          unit.getLineMap().getLineNumber(start), bytes, name, places.get(0).replaceFirst("\\[(.*),(.*),(.*)\\]",
          "\"to\":$1,\"line\":$2,\"declared\":$3"), String.join(",", places.subList(1, places.size())));
    }

    private void place(Element element, List<String> places) {
      switch (element.getKind()) {
        case LOCAL_VARIABLE, PARAMETER, EXCEPTION_PARAMETER, RESOURCE_VARIABLE, BINDING_VARIABLE, TYPE_PARAMETER, PACKAGE -> { return; }
        default -> { }
      }
      TreePath path = trees.getPath(element);
      if (path == null || path.getLeaf() == null) {
        if (element.getKind() == ElementKind.CONSTRUCTOR || element.getKind() == ElementKind.METHOD) {
          place(element.getEnclosingElement(), places); // a constructor or accessor that nobody wrote
        }
        return;
      }
      String name = element.getKind() == ElementKind.CONSTRUCTOR ? element.getEnclosingElement().getSimpleName().toString()
          : element.getSimpleName().toString();
      int at = ((JCTree) path.getLeaf()).pos; // of a constant, that of its annotations
      var pattern = java.util.regex.Pattern.compile("\\b" + java.util.regex.Pattern.quote(name) + "\\b").matcher(text(path));
      int named = pattern.find(Math.max(at, 0)) ? pattern.start() : at;
      long line = path.getCompilationUnit().getLineMap().getLineNumber(element.getKind() == ElementKind.ENUM_CONSTANT ? named : at);
      places.add(String.format("[\"%s\",%d,\"%s\"]", relative(path.getCompilationUnit()), line, name));
    }
  }
}
