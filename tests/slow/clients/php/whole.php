<?php

// Read values of the whole contract, each with the name of its schema, and write them again:
//
//     php whole.php CLIENT values.jsonl

declare(strict_types=1);

use McMulti\ObjectSerializer;

require __DIR__ . '/client.php';

foreach (file($argv[2]) as $line) {
    $named = json_decode($line, flags: JSON_THROW_ON_ERROR);
    $value = ObjectSerializer::deserialize($named->value, "McMulti\\Model\\$named->schema");
    echo json_encode(ObjectSerializer::sanitizeForSerialization($value), JSON_THROW_ON_ERROR), "\n";
}
