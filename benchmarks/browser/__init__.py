"""Speed of the browser client: first paint, time to interactive, frames per second."""
