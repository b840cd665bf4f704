<?php
// The routes that Laravel's own router holds once a file has registered them. One JSON object a route.
// Run by routes_oracle.py: php routes_of_laravel.php FRAMEWORK FILE
// What belongs to the application is stood in for: any class is an empty one, any unknown function returns an empty text.

error_reporting(0);
set_error_handler(static fn() => true);
[, $framework, $file] = $argv;
if (!function_exists('array_last')) {
    function array_first(array $array) { return $array ? reset($array) : null; }
    function array_last(array $array) { return $array ? end($array) : null; }
}
$source = file_get_contents($file);
preg_match_all('/::([A-Z][A-Z0-9_]*)\b(?!\s*\()/', $source, $named);
$constants = array_unique($named[1]);
spl_autoload_register(static function (string $class) use ($framework): void {
    if (str_starts_with($class, 'Doctrine\\Inflector\\')) {
        require_once '/usr/share/php/' . str_replace('\\', '/', $class) . '.php';
        return;
    }
    if (str_starts_with($class, 'Illuminate\\')) {
        $relative = str_replace('\\', '/', substr($class, strlen('Illuminate\\'))) . '.php';
        $places = ["$framework/src/Illuminate/$relative"];
        foreach (['Collections', 'Macroable', 'Conditionable', 'Reflection'] as $part) {
            $places[] = "$framework/src/Illuminate/$part/" . substr($relative, strlen('Support/'));
        }
        foreach ($places as $place) {
            if (is_file($place)) {
                require_once $place;
                return;
            }
        }
    }
    $at = strrpos($class, '\\');
    $namespace = $at === false ? '' : 'namespace ' . substr($class, 0, $at) . ';';
    $isInterface = str_starts_with($class, 'Psr\\') || str_ends_with($class, 'Interface');
    $members = implode(' ', array_map(static fn($name) => "const $name = '';", $GLOBALS['constants'])) . ' public function __invoke() {} public static function __callStatic($n, $a) { return ""; } public function __call($n, $a) { return $this; }';
    eval($namespace . ($isInterface ? 'interface ' : '#[\AllowDynamicProperties] class ') . substr($class, $at === false ? 0 : $at + 1)
        . ' {' . ($isInterface ? '' : $members) . '}');
});
foreach (['Collections', 'Support', 'Reflection'] as $part) {
    foreach (['functions.php', 'helpers.php'] as $name) {
        if (is_file("$framework/src/Illuminate/$part/$name")) require_once "$framework/src/Illuminate/$part/$name";
    }
}
preg_match_all('/(?<![\w\\\\>:$])([a-z_]\w*)\s*\(/i', $source, $called);
foreach (array_unique($called[1]) as $name) {
    if (!function_exists($name) && !in_array(strtolower($name), ['function', 'fn', 'array', 'if', 'foreach', 'isset', 'empty', 'match', 'use'])) {
        eval("function $name(...\$a) { return ''; }");
    }
}
$container = new Illuminate\Container\Container();
$events = new class implements Illuminate\Contracts\Events\Dispatcher {
    public function listen($events, $listener = null) {}
    public function hasListeners($eventName) { return false; }
    public function subscribe($subscriber) {}
    public function until($event, $payload = []) {}
    public function dispatch($event, $payload = [], $halt = false) {}
    public function push($event, $payload = []) {}
    public function flush($event) {}
    public function forget($event) {}
    public function forgetPushed() {}
};
$router = new Illuminate\Routing\Router($events, $container);
$container->instance('router', $router);
Illuminate\Support\Facades\Facade::setFacadeApplication($container);
class_alias(Illuminate\Support\Facades\Route::class, 'Route');
preg_match_all('/->(\w+)\s*\(/', $source, $asked);
foreach (array_unique($asked[1]) as $method) {  // what packages add to routes
    if (!method_exists(Illuminate\Routing\Route::class, $method)) Illuminate\Routing\Route::macro($method, function () { return $this; });
}
try {
    (static function () use ($file, $router) { require $file; })();
} catch (Throwable $fault) {
    echo json_encode(['fault' => $fault->getMessage() . ' at line ' . $fault->getLine()]), "\n";
}
foreach ($router->getRoutes()->getRoutes() as $route) {
    $uses = $route->getAction('uses');
    [$controller, $action] = is_string($uses) ? [...explode('@', ltrim($uses, '\\')), '__invoke'] : ['', 'Closure'];
    echo json_encode([
        'methods' => array_values(array_diff($route->methods(), count($route->methods()) > 6 ? [] : ['HEAD'])),
        'uri' => '/' . ltrim($route->uri(), '/'), 'controller' => $controller, 'action' => $action, 'name' => (string) $route->getName(),
        'middleware' => array_values(array_diff(array_unique($route->middleware()), (array) $route->getAction('excluded_middleware'))),
    ]), "\n";
}
