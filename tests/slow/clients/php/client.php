<?php

// Loads the classes of a generated client, whose folder is the first argument, and Guzzle.

declare(strict_types=1);

require 'GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class) use ($argv): void {
    $file = $argv[1] . '/src/' . str_replace('\\', '/', substr($class, strlen('McMulti\\'))) . '.php';
    if (str_starts_with($class, 'McMulti\\') && is_file($file)) {
        require $file;
    }
});
// Whatever PHP warns of is an error.
set_error_handler(function (int $level, string $text, string $file, int $line): never {
    throw new ErrorException($text, 0, $level, $file, $line);
});
