"""Pages: HTML, CSS, and JavaScript modules, sent without a build step. They use only the public API."""
