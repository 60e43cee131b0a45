// Before anything is painted: the theme that was chosen at the tables holds here too.
try {
  const { theme } = JSON.parse(localStorage.getItem("archipel.settings") || "{}");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {}
// The menu of a small screen starts folded.
document.documentElement.dataset.folds = "";
