// Runs before the first paint, so an explicit theme, text size or calm motion never flashes the other one first.
(function () {
  var root = document.documentElement;
  try {
    var look = JSON.parse(localStorage.getItem('adjutant.look') || '{}');
    var asked = new URLSearchParams(location.search).get('theme');
    var theme = asked || look.theme;
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
    if (look.motion === 'reduced') root.dataset.motion = 'reduced';
    if (look.text > 0.8 && look.text < 2.5) root.style.fontSize = look.text * 100 + '%';
  } catch {
    // A blocked or damaged store only means the system's own look.
  }
})();
