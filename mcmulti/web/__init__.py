"""Pages: HTML, CSS and modules of JavaScript as they are sent, without a build step. They use the public API alone."""
