"""Sends spans to a collector, by OpenTelemetry's protocol over HTTP. Its packages are an extra, imported
only on use.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING
from uuid import UUID

from mcmulti import tracing
from mcmulti.tracing import SpanFact

if TYPE_CHECKING:
    from opentelemetry import trace

_PACKAGES = ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http")


class NoTelemetry(Exception):
    """The packages that send spans are not installed. The message is a sentence."""


def check_telemetry() -> None:
    """Raise `NoTelemetry` unless spans can be sent."""
    for package in _PACKAGES:
        try:
            known = find_spec(package)
        except ModuleNotFoundError:
            known = None
        if known is None:
            raise NoTelemetry("Sending spans needs more packages: pip install 'mcmulti[otel]'.")


@contextmanager
def sent(endpoint: str | None) -> Iterator[None]:
    """Send spans to this URL while the block runs; do nothing if it is None.

    Everything else (headers, sampling, names) is set by the standard OTEL_* variables.
    """
    if endpoint is None:
        yield
        return
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    resource = Resource.create({SERVICE_VERSION: version("mcmulti")})
    if str(resource.attributes[SERVICE_NAME]).startswith("unknown_service"):
        resource = resource.merge(Resource({SERVICE_NAME: "mcmulti"}))
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint)))
    tracer = provider.get_tracer("mcmulti", version("mcmulti"))

    @contextmanager
    def begin(name: str, facts: dict[str, SpanFact]) -> Iterator[tracing.WorkSpan]:
        # The text of an exception is private: it may contain what a client sent.
        with tracer.start_as_current_span(name, record_exception=False, set_status_on_exception=False) as span:
            told = _Told(span)
            told.set_attributes(**facts)
            try:
                yield told
            except Exception as error:
                span.set_attribute("error.type", type(error).__name__)
                raise

    tracing.collect(begin)
    try:
        yield
    finally:
        tracing.stop()
        provider.shutdown()


class _Told(tracing.WorkSpan):
    """A span that is sent."""

    def __init__(self, span: "trace.Span") -> None:
        self._span = span
        self.trace_id = f"{span.get_span_context().trace_id:032x}"

    def set_attributes(self, **facts: SpanFact) -> None:
        for name, fact in facts.items():
            self._span.set_attribute(
                name if "." in name else f"mcmulti.{name}", str(fact) if isinstance(fact, UUID) else fact
            )
