// Runs before the first paint: sets the colour scheme and reserves space for recent games, so that nothing jumps.

(() => {
  const root = document.documentElement;
  const kept = (key) => {
    try {
      return JSON.parse(localStorage.getItem(`agon:${key}`));
    } catch {
      return null;
    }
  };
  const scheme = kept('scheme');
  if (scheme) root.dataset.scheme = scheme;
  root.dataset.material = kept('material') ?? 'wood';
  if (kept('recent')?.length) root.dataset.recent = 'yes';
})();
