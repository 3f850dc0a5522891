// The event stream of a job. It reconnects when the server comes back.

/**
 * Follows the events of an address until the event `over`.
 * Browsers allow few connections to one server, so a hidden page closes its stream.
 */
export function follow(address, on) {
  let source = null;
  let waiting = null;
  let over = false;
  let lost = false;

  function close() {
    source?.close();
    source = null;
    clearTimeout(waiting);
  }

  function open() {
    close();
    if (over || document.hidden) return;
    source = new EventSource(typeof address === 'function' ? address() : address);
    for (const name of Object.keys(on)) {
      if (name === 'lost') continue;
      source.addEventListener(name, (event) => {
        if (lost) on.lost?.(false);
        lost = false;
        if (name === 'over') stop();
        on[name](JSON.parse(event.data));
      });
    }
    source.onerror = () => {
      if (over) return;
      if (!lost) on.lost?.(true);
      lost = true;
      close();
      waiting = setTimeout(open, 1000);
    };
  }

  function stop() {
    over = true;
    close();
  }

  document.addEventListener('visibilitychange', () => (document.hidden ? close() : open()));
  addEventListener('pagehide', close);
  addEventListener('pageshow', (event) => event.persisted && open());
  open();
  return { again: open, stop };
}
