"""Write the API contract: ``openapi``."""

from pathlib import Path

import click


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--breaking", is_flag=True, help="Write it even if it breaks clients of the document in FOLDER.")
def openapi(folder: Path, breaking: bool) -> None:
    """Write the API's OpenAPI document to FOLDER/openapi.json and openapi.yaml.

    Also writes a document for each rule set, such as mcmulti.json, one with the operations that bots need
    (bots.json), a short listing for reviews (contract.txt), and the schema of game files. Prints the changes since
    the document in FOLDER, breaking changes first.
    """
    from mcmulti.api.app import ROUTES
    from mcmulti.api.openapi import document
    from mcmulti.api.openapi.committed import NotADocument, changes_of, write
    from mcmulti.domain.rulesets import CURRENT

    new = document(ROUTES)
    try:
        changes = changes_of(folder, new)
        for change in changes:
            click.echo(change)
        if any(change.breaking for change in changes) and not breaking:
            raise click.ClickException("Breaking change; nothing written. Use --breaking to write anyway.")
        narrowed = {name: document(ROUTES, name) for name in CURRENT}
        for file in write(folder, new, narrowed, document(ROUTES, bots=True)):
            click.echo(file)
    except NotADocument as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"Cannot write to {folder}: {error.strerror}.") from error
