"""What takes the time where a target is missed: profiles of one day, which `make bench` does not measure again."""

REMAINS = """\
## What remains

Where the time goes in what has missed its target so far. Taken by hand with a sampling profiler (py-spy, 400 samples a
second for 8 s, 64 and 16 clients) and with `time.process_time`, on a machine that others used too: shares are good to a
few percent, and do not change with the machine as the figures below do.

**Commands over HTTP, 64 clients**, the server's process:

| where | share |
| --- | ---: |
| psycopg and the pool: the batch of appends, tokens that are seen for the first time | 16 % |
| writing answers to sockets, and the HTTP protocol | 12 % |
| reading requests, negotiating, encoding answers (`api/http`) | 10 % |
| statements, what is appended as JSON, group commit, heads (`events`) | 12 % |
| the rules of the game, with what all games share | 8 % |
| uvicorn | 6 % |
| asyncio and the event loop | 6 % |
| Litestar: routing, layers | 5 % |
| the referee | 6 % |
| request log, with the line that is written for each command | 5 % |
| identifiers as text and back (`uuid`) | 4 % |
| what the answer tells of the table, operations, admission, all else | 10 % |

No part is large anymore. The one-row handler knows no caller, decides nothing, chains nothing, keeps no receipt, tells
nobody, and logs no line; its answer has 14 bytes. A command takes 1.9 times the processor's time of it, in the server,
PostgreSQL, and the load generator together; it was 2.5 when each token that was used was noted by itself.

**Reads of a cached answer, 16 clients**, the server's process:

| where | share |
| --- | ---: |
| writing answers to sockets, and the HTTP protocol | 22 % |
| asyncio and the event loop, which waits and reads there | 17 % |
| reading requests, negotiating, headers (`api/http`) | 11 % |
| uvicorn: the request, and twelve headers that it checks one by one | 11 % |
| Litestar: routing, layers | 10 % |
| asking PostgreSQL where the game stands, once for all who ask at a time | 16 % |
| request log, cache, tags, tokens, all else | 13 % |

The bare handler says three headers instead of twelve, asks nobody whether its bytes are still true, and looks at no
token. Without the question where the game stands (`?at=`) the target is met on an idle machine.

**Loading a game of 2,000 events**, microseconds an event; bare decoding takes 0.35:

| where | time |
| --- | ---: |
| PostgreSQL, beside the rest where a processor is free | 1.15 |
| psycopg: eleven columns to objects of Python | 1.6 |
| two SHA-256, and the header that they are taken of | 1.5 |
| folding into states | 0.75 |
| decoding to events | 0.2 |

The hashes alone take twice as long as bare decoding, and the rows more than four times as long.

**Random play**, microseconds a decision in the middle of a game:

| where | Millionenspiel | MarraCash |
| --- | ---: | ---: |
| stating the offers | 2.2 | 15.8 |
| choosing one and filling it in, by the random player | 3.0 | 1.3 |
| admitting the command | 0.7 | 0.4 |
| carrying it out: a stake and two events after it; a move with four events | 5.3 | 6.7 |
| setting the game up, by the decisions of a game | 0.2 | 3.1 |

In MarraCash an offer says for each group and street who would enter which shop and what that pays: a person chooses by
it, a random player does not look.
"""
