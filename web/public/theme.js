// Light or dark, as the person chose, else as the system says; before the page is drawn, so that it never flashes.
// styles/theme.css has the colours of both.
(function () {
  var system = window.matchMedia('(prefers-color-scheme: dark)');
  function apply() {
    var chosen = null;
    try {
      chosen = localStorage.getItem('colline.theme');
    } catch (_) {
      // Without storage the system's choice holds.
    }
    document.documentElement.dataset.theme = chosen === 'light' || chosen === 'dark' ? chosen : system.matches ? 'dark' : 'light';
  }
  apply();
  system.addEventListener('change', apply);
  window.addEventListener('colline-theme', apply);
})();
