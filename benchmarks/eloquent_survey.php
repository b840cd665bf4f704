<?php
// Every class, relation call and name from elsewhere below a directory, one JSON object a line, as php-ast sees them.
// Run by eloquent_oracle.py: php eloquent_survey.php DIRECTORY
use ast\flags as F;

const KINDS = [
    'hasOne', 'hasMany', 'belongsTo', 'belongsToMany', 'hasOneThrough', 'hasManyThrough',
    'morphTo', 'morphOne', 'morphMany', 'morphToMany', 'morphedByMany', 'through',
];

final class Survey
{
    private string $namespace = '';
    private array $imports = [];
    private array $classes = [];
    private string $method = '';
    private bool $needsArguments = false;
    private array $discarded = [];

    public function __construct(private string $path) {}

    public function walk(mixed $node): void
    {
        if (!$node instanceof ast\Node) return;
        match ($node->kind) {
            ast\AST_NAMESPACE => $this->enter($node),
            ast\AST_USE => $this->import($node->children, '', $node->flags),
            ast\AST_GROUP_USE => $this->import($node->children['uses']->children, $node->children['prefix'] . '\\', $node->flags),
            ast\AST_METHOD_CALL => $this->call($node),
            ast\AST_STMT_LIST => $this->discard($node),
            default => null,
        };
        $isThrough = $node->kind === ast\AST_METHOD_CALL && is_string($node->children['method']);
        if ($isThrough && str_starts_with($node->children['method'], 'through')) {
            $this->walk($node->children['expr']);  // a relation among the arguments is part of this one
            return;
        }
        if ($node->kind === ast\AST_CLASS) {
            $this->class($node);
            return;
        }
        if ($node->kind === ast\AST_METHOD) {
            $outer = [$this->method, $this->needsArguments];
            $this->method = $node->children['name'];
            $needs = fn($each) => $each->children['default'] === null && !($each->flags & F\PARAM_VARIADIC);
            $this->needsArguments = (bool) array_filter($node->children['params']->children, $needs);
            array_map($this->walk(...), $node->children);
            [$this->method, $this->needsArguments] = $outer;
            return;
        }
        foreach ($node->children as $child) $this->walk($child);
    }

    private function enter(ast\Node $node): void
    {
        $this->namespace = (string) $node->children['name'];
        $this->imports = [];
    }

    private function import(array $uses, string $prefix, int $flags): void
    {
        foreach ($uses as $use) {
            if (($flags | $use->flags) & (F\USE_FUNCTION | F\USE_CONST)) continue;
            $name = $prefix . $use->children['name'];
            $alias = $use->children['alias'] ?? substr(strrchr('\\' . $name, '\\'), 1);
            $this->imports[strtolower($alias)] = $name;
        }
    }

    private function class(ast\Node $node): void
    {
        $children = $node->children;
        $isAnonymous = (bool) ($node->flags & F\CLASS_ANONYMOUS);
        $name = $isAnonymous ? '' : ltrim($this->namespace . '\\' . $children['name'], '\\');
        $isInterface = (bool) ($node->flags & F\CLASS_INTERFACE);
        $parent = $children['extends'] === null ? '' : $this->name($children['extends'], 'class');
        foreach ($children['implements']->children ?? [] as $each) $this->name($each, 'interface');
        $traits = [];
        foreach ($children['stmts']->children as $each) {
            if ($each->kind !== ast\AST_USE_TRAIT) continue;
            foreach ($each->children['traits']->children as $trait) $traits[] = $this->name($trait, 'trait');
        }
        $kind = match (true) {
            $isInterface => 'interface',
            (bool) ($node->flags & F\CLASS_TRAIT) => 'trait',
            (bool) ($node->flags & F\CLASS_ENUM) => 'enum',
            default => 'class',
        };
        $this->emit(['is' => $kind, 'name' => $name, 'line' => $node->lineno, 'parent' => $parent, 'traits' => $traits]);
        $outer = [$this->method, $this->needsArguments];
        $this->classes[] = [$name, $parent];
        foreach ($children as $child) $this->walk($child);
        array_pop($this->classes);
        [$this->method, $this->needsArguments] = $outer;
    }

    private function discard(ast\Node $list): void
    {
        foreach ($list->children as $node) {
            while ($node instanceof ast\Node && $node->kind === ast\AST_METHOD_CALL) {
                $this->discarded[spl_object_id($node)] = true;
                $node = $node->children['expr'];
            }
        }
    }

    private function call(ast\Node $node): void
    {
        ['expr' => $on, 'method' => $kind, 'args' => $arguments] = $node->children;
        $isThis = $on instanceof ast\Node && $on->kind === ast\AST_VAR && $on->children['name'] === 'this';
        $isRelation = is_string($kind) && (in_array($kind, KINDS) || preg_match('/^through[A-Z]/', $kind));
        if (!$isThis || !$isRelation || !$this->classes) return;
        [$class, $parent] = end($this->classes);
        $this->emit([
            'is' => 'call', 'kind' => $kind, 'class' => $class, 'parent' => $parent, 'method' => $this->method,
            'line' => $node->lineno, 'needs_arguments' => $this->needsArguments, 'is_discarded' => isset($this->discarded[spl_object_id($node)]),
        ]);
    }

    private function name(ast\Node $node, string $usedAs): string
    {
        $written = $node->children['name'];
        $first = strtolower(strtok($written, '\\'));
        $name = match (true) {
            $node->flags === F\NAME_FQ => $written,
            isset($this->imports[$first]) => $this->imports[$first] . substr($written, strlen($first)),
            default => ltrim($this->namespace . '\\' . $written, '\\'),
        };
        $this->emit(['is' => 'name', 'name' => $name, 'as' => $usedAs]);
        return $name;
    }

    private function emit(array $record): void
    {
        echo json_encode(['path' => $this->path] + $record), "\n";
    }
}

foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator($argv[1], FilesystemIterator::SKIP_DOTS)) as $file) {
    if (!$file->isFile() || $file->getExtension() !== 'php') continue;
    $path = $file->getPathname();
    try {
        (new Survey($path))->walk(ast\parse_code(file_get_contents($path), 90));
    } catch (ParseError $fault) {
        echo json_encode(['path' => $path, 'is' => 'fault', 'fault' => $fault->getMessage()]), "\n";
    }
}
