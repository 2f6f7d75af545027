"""Metrics, read as Prometheus reads them."""

import asyncio

import httpx
from prometheus_client import CollectorRegistry
from prometheus_client.parser import text_string_to_metric_families

from mcmulti.metrics import REGISTRY

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def parsed(text: str) -> Samples:
    """Every sample by its name and labels. Each occurs once."""
    samples: Samples = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            key = sample.name, tuple(sorted(sample.labels.items()))
            assert key not in samples, key
            samples[key] = sample.value
    return samples


def scraped(address: str) -> Samples:
    """The samples at an address."""
    answered = httpx.get(address, timeout=30, trust_env=False)
    assert answered.status_code == 200, answered.text
    return parsed(answered.text)


def value(samples: Samples, name: str, **labels: str) -> float:
    """One sample. 0 if there is none yet."""
    return samples.get((name, tuple(sorted(labels.items()))), 0.0)


async def somebody_polls() -> None:
    """Wait until a request waits for news, at any server of this process."""
    polls = Watched("mcmulti_readers", kind="poll")
    async with asyncio.timeout(60):
        while polls.value == 0:  # noqa: ASYNC110 - what is waited for has no bell
            await asyncio.sleep(0.01)


class Watched:
    """A metric of this process, from now on."""

    def __init__(self, name: str, registry: CollectorRegistry = REGISTRY, **labels: str) -> None:
        self._name, self._registry, self._labels = name, registry, labels
        self._before = self.value

    @property
    def value(self) -> float:
        return self._registry.get_sample_value(self._name, self._labels) or 0.0

    @property
    def more(self) -> float:
        """How much it has grown."""
        return self.value - self._before
