// Before anything is drawn: light or dark as chosen, and room for games to continue with, so that nothing jumps.

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
  if (kept('recent')?.length) root.dataset.recent = 'yes';
})();
