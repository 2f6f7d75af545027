-- Spread the tables over the nodes of a Citus cluster: every game, with all that belongs to it, lives on one of them.
-- Run by `mcmulti migrate --distribute`, in one transaction, as the owner of the tables.

-- Citus connects to its nodes as the role that a session has taken, and a role without LOGIN cannot connect.
ALTER ROLE mcmulti_server LOGIN;

-- Servers may connect to any node, and look there whether the schema is theirs.
SELECT create_reference_table('migration');
SELECT create_reference_table('player');
SELECT create_reference_table('signing_key');

SELECT create_distributed_table('game', 'id');
SELECT create_distributed_table('event', 'game_id', colocate_with => 'game');
SELECT create_distributed_table('receipt', 'game_id', colocate_with => 'game');
SELECT create_distributed_table('secret', 'game_id', colocate_with => 'game');
SELECT create_distributed_table('seat', 'game_id', colocate_with => 'game');
SELECT create_distributed_table('snapshot', 'game_id', colocate_with => 'game');

-- A call about a game is handed on to its node as a whole.
SELECT create_distributed_function('append_to_game(uuid, json)', 'game', colocate_with => 'game');

-- What was there before stays on this node too, seen by nobody, until it is thrown away.
SELECT truncate_local_data_after_distributing_table(name::regclass)
FROM unnest(ARRAY['migration', 'player', 'signing_key', 'game', 'event', 'receipt', 'secret', 'seat', 'snapshot']) AS name;
