"""Options in, who analyses files out: worker processes of this machine, or those of a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

from hardtack.build.options import BuildOptions
from hardtack.build.workers.processes import Workers, products_of
from hardtack.cores import cores

if TYPE_CHECKING:
    from hardtack.build.workers.executors import Pool

    NewPool = Callable[[], AbstractContextManager[Pool]]


@contextmanager
def opened_pools(options: BuildOptions) -> Iterator[NewPool]:
    """What makes a pool for each attempt of a build. On this machine, what it needs is loading from here on.

    Raises:
        MissingExtra: Dask is not installed.
        UsageError: there is no such address.
        BuildError: worker processes cannot be started; or the cluster does not answer, has no workers, or one that differs.
    """
    products = products_of(options)
    if not options.cluster:
        with Workers(**products) as workers:

            def here() -> AbstractContextManager[Pool]:
                from hardtack.build.workers.executors import WorkerPool  # with what it loads; the fork server loads meanwhile

                return WorkerPool(options.jobs or cores(), workers)

            yield here
        return
    from hardtack.build.cluster import connected

    with connected(options.cluster) as client:

        def there() -> AbstractContextManager[Pool]:
            from hardtack.build.cluster_pool import ClusterPool

            return ClusterPool(client, options.cluster, products)

        yield there
