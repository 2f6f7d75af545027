-- Spread the tables over the nodes of a Citus cluster: every game, with all that belongs to it, lives on one of them.
-- Run by `mcmulti migrate --distribute`, in one transaction, as the owner of the tables.

-- Citus connects to its nodes as the role that a session has taken, and a role without LOGIN cannot connect.
ALTER ROLE mcmulti_server LOGIN;

-- Grants on columns do not reach the nodes; grants on tables do.
GRANT UPDATE ON game TO mcmulti_server;

SELECT create_reference_table('player');
SELECT create_reference_table('signing_key');

SELECT create_distributed_table('game', 'id');
SELECT create_distributed_table('event', 'game_id', colocate_with => 'game');
SELECT create_distributed_table('receipt', 'game_id', colocate_with => 'game');
SELECT create_distributed_table('secret', 'game_id', colocate_with => 'game');
SELECT create_distributed_table('seat', 'game_id', colocate_with => 'game');
SELECT create_distributed_table('snapshot', 'game_id', colocate_with => 'game');
