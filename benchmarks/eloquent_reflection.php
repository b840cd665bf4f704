<?php
// What Laravel itself says of the models that one file declares: loads it and asks an instance of each. One JSON object a line.
// Run by eloquent_oracle.py: php eloquent_reflection.php MAP FILE
// MAP is JSON: "classes" (name -> file), "elsewhere" (name -> class, interface or trait, stood in for by an empty one),
// "functions" (files of functions), "methods" (names of methods that may declare relations).

error_reporting(0);
set_error_handler(static fn() => true);
foreach (['mb_ucfirst' => 'mb_strtoupper', 'mb_lcfirst' => 'mb_strtolower'] as $missing => $case) {
    if (!function_exists($missing)) eval("function $missing(\$s, \$e = null) { return $case(mb_substr(\$s, 0, 1)) . mb_substr(\$s, 1); }");
}
if (!function_exists('array_first')) {
    function array_first(array $array) { return $array ? reset($array) : null; }
    function array_last(array $array) { return $array ? end($array) : null; }
}
if (!function_exists('array_find')) {
    function array_find(array $array, callable $test) { foreach ($array as $key => $each) if ($test($each, $key)) return $each; return null; }
    function array_find_key(array $array, callable $test) { foreach ($array as $key => $each) if ($test($each, $key)) return $key; return null; }
    function array_any(array $array, callable $test) { foreach ($array as $key => $each) if ($test($each, $key)) return true; return false; }
    function array_all(array $array, callable $test) { foreach ($array as $key => $each) if (!$test($each, $key)) return false; return true; }
}
$map = json_decode(file_get_contents($argv[1]), true);
spl_autoload_register(static function (string $class) use ($map): void {
    if (isset($map['classes'][$class])) {
        require_once $map['classes'][$class];
        return;
    }
    if (str_starts_with($class, 'Doctrine\\Inflector\\')) {
        require_once '/usr/share/php/' . str_replace('\\', '/', $class) . '.php';
        return;
    }
    if (isset($map['elsewhere'][$class])) {
        $at = strrpos($class, '\\');
        $namespace = $at === false ? '' : 'namespace ' . substr($class, 0, $at) . ';';
        $type = $map['elsewhere'][$class];
        eval($namespace . ($type === 'class' ? '#[\AllowDynamicProperties] ' : '') . "$type " . substr($class, $at === false ? 0 : $at + 1) . ' {}');
    }
});
foreach ($map['functions'] as $file) require_once $file;
require_once $argv[2];

use Illuminate\Database\Eloquent\Model;
use Illuminate\Database\Eloquent\Relations as R;

$resolver = new Illuminate\Database\ConnectionResolver(['default' => new Illuminate\Database\Connection(static fn() => null)]);
$resolver->setDefaultConnection('default');
Model::setConnectionResolver($resolver);

function keys(object $relation): array
{
    $is = (new ReflectionClass($relation));
    while (!str_starts_with($is->getName(), 'Illuminate\\Database\\Eloquent\\Relations\\')) $is = $is->getParentClass();
    $keys = ['type' => $is->getShortName(), 'related' => $relation->getRelated()::class];
    if ($relation instanceof R\MorphTo) {
        $keys = ['type' => 'MorphTo', 'foreign_key' => $relation->getForeignKeyName(), 'morph_type' => $relation->getMorphType()];
    } elseif ($relation instanceof R\BelongsTo) {
        $keys += ['foreign_key' => $relation->getForeignKeyName(), 'owner_key' => $relation->getOwnerKeyName()];
    } elseif ($relation instanceof R\HasOneOrMany) {
        $keys += ['foreign_key' => $relation->getForeignKeyName(), 'local_key' => $relation->getLocalKeyName()];
        if ($relation instanceof R\MorphOneOrMany) $keys['morph_type'] = $relation->getMorphType();
    } elseif ($relation instanceof R\HasOneOrManyThrough) {
        $keys += [
            'foreign_key' => $relation->getFirstKeyName(), 'second_key' => $relation->getForeignKeyName(),
            'local_key' => $relation->getLocalKeyName(), 'second_local_key' => $relation->getSecondLocalKeyName(),
            'through' => $relation->getParent()::class,
        ];
    } elseif ($relation instanceof R\BelongsToMany) {
        $keys += [
            'pivot_table' => $relation->getTable(), 'foreign_key' => $relation->getForeignPivotKeyName(),
            'related_pivot_key' => $relation->getRelatedPivotKeyName(), 'local_key' => $relation->getParentKeyName(),
            'related_key' => $relation->getRelatedKeyName(),
        ];
        if ($relation instanceof R\MorphToMany) $keys['morph_type'] = $relation->getMorphType();
    }
    return $keys;
}

$path = realpath($argv[2]);
foreach (get_declared_classes() as $class) {
    $reflection = new ReflectionClass($class);
    if ($reflection->isAnonymous() || $reflection->getFileName() !== $path || !is_subclass_of($class, Model::class)) continue;
    $record = ['class' => $class, 'line' => $reflection->getStartLine(), 'abstract' => $reflection->isAbstract()];
    try {
        $model = $reflection->isAbstract() ? null : new $class;
    } catch (Throwable $fault) {
        $model = null;
        $record['fault'] = $fault->getMessage();
    }
    if ($model !== null) {
        $ask = [
            'table' => 'getTable', 'primary_key' => 'getKeyName', 'key_type' => 'getKeyType', 'incrementing' => 'getIncrementing',
            'connection' => 'getConnectionName', 'timestamps' => 'usesTimestamps', 'fillable' => 'getFillable', 'guarded' => 'getGuarded',
            'hidden' => 'getHidden', 'visible' => 'getVisible', 'appends' => 'getAppends', 'cast' => 'getCasts',
            'touches' => 'getTouchedRelations',
        ];
        foreach ($ask as $key => $method) {
            try {
                $record['says'][$key] = $model->$method();
            } catch (Throwable $fault) {
                $record['faults'][$key] = $fault->getMessage();
            }
        }
        $record['says']['soft_deletes'] = in_array(Illuminate\Database\Eloquent\SoftDeletes::class, class_uses_recursive($class));
        foreach ($reflection->getMethods() as $method) {
            $name = $method->getName();
            $isAsked = in_array($name, $map['methods']) && !$method->isStatic() && !$method->getNumberOfRequiredParameters();
            if (!$isAsked || $method->getDeclaringClass()->getName() === Model::class) continue;
            if (str_contains((string) $method->getFileName(), '/src/Illuminate/Database/Eloquent/')) continue;
            try {
                $method->setAccessible(true);
                $relation = $method->invoke($model);
                if ($relation instanceof R\Relation) $record['relations'][$name] = keys($relation);
            } catch (Throwable $fault) {
                $record['faults'][$name] = $fault->getMessage();
            }
        }
    }
    echo json_encode($record), "\n";
}
