/** Texts of static sites in both languages, only loaded there. */
import { settings } from "../lib/settings.svelte";
import type { Failure } from "./messages";
import type { Keeping } from "./offline.svelte";

interface Words {
  loading: string;
  reload: string;
  failures: Record<Failure, string>;
  update: string;
  restart: string;
  later: string;
  saving: string;
  goOn: string;
  install: string;
  offline: Record<Keeping, string>;
  storage: {
    title: string;
    lead: string;
    used(megabytes: string): string;
    kept: string;
    notKept: string;
    keep: string;
    refused: string;
    save: string;
    load: string;
    loaded(stored: number, known: number): string;
    bad: string;
    remove: string;
    sure: string;
    no: string;
  };
}

const en: Words = {
  loading: "The games are loading",
  reload: "Reload the page",
  failures: {
    storage: "This browser does not let the page store games, for example in a private window. Nothing can be played here: use a normal window, or allow storage for this site.",
    full: "This device’s storage is full, so your last move was not saved. Free some space, then reload the page: all earlier moves are safe.",
    removed: "The games stored in this browser were removed, here or in another tab. Reload the page to begin anew.",
    runtime: "The games could not be started. Check the connection and reload the page.",
  },
  update: "A new version is ready. Your games stay.",
  restart: "Restart now",
  later: "Later",
  saving: "The battery is low, so the bots rest.",
  goOn: "Let them play",
  install: "Install as an app",
  offline: {
    waiting: "Offline use: not ready yet",
    keeping: "Offline use: downloading",
    ready: "Ready for offline use ✓",
    failed: "Offline use: the download failed. It is tried again at your next visit.",
    unavailable: "Offline use: this browser or window does not allow it",
  },
  storage: {
    title: "Storage",
    lead: "Your games are stored in this browser only. A private window forgets them when it is closed.",
    used: (megabytes) => `In use: ${megabytes} MB`,
    kept: "The browser keeps the games until you remove them.",
    notKept: "The browser may remove the games when storage gets scarce.",
    keep: "Ask it to keep them",
    refused: "The browser refused. It may agree when you have installed the app or visited more often.",
    save: "Save all tables",
    load: "Load tables",
    loaded: (stored, known) => `${stored === 1 ? "1 table was loaded" : `${stored} tables were loaded`}${known ? `; ${known} already here` : ""}.`,
    bad: "This file contains no tables, or it is damaged.",
    remove: "Remove everything",
    sure: "This removes all games, settings and files of this site from this browser. Save the tables before if you want to keep them.",
    no: "Cancel",
  },
};

const fr: Words = {
  loading: "Chargement des jeux",
  reload: "Recharger la page",
  failures: {
    storage: "Ce navigateur ne permet pas d’enregistrer les parties, par exemple en navigation privée. Impossible de jouer ici\u00a0: ouvrez une fenêtre normale ou autorisez ce site à enregistrer des données.",
    full: "L’espace de stockage est plein\u00a0: votre dernier coup n’est pas enregistré. Libérez de la place, puis rechargez la page\u00a0; les coups précédents sont en sûreté.",
    removed: "Les parties enregistrées dans ce navigateur ont été supprimées, ici ou dans un autre onglet. Rechargez la page pour repartir à neuf.",
    runtime: "Les jeux n’ont pas pu démarrer. Vérifiez la connexion et rechargez la page.",
  },
  update: "Une nouvelle version est prête. Vos parties sont conservées.",
  restart: "Redémarrer",
  later: "Plus tard",
  saving: "La batterie est faible\u00a0: les robots se reposent.",
  goOn: "Les laisser jouer",
  install: "Installer l’application",
  offline: {
    waiting: "Hors connexion\u00a0: pas encore prêt",
    keeping: "Hors connexion\u00a0: téléchargement en cours",
    ready: "Prêt à jouer hors connexion ✓",
    failed: "Hors connexion\u00a0: le téléchargement a échoué. Nouvel essai à votre prochaine visite.",
    unavailable: "Hors connexion\u00a0: ce navigateur ou cette fenêtre ne le permet pas",
  },
  storage: {
    title: "Stockage",
    lead: "Vos parties sont enregistrées dans ce navigateur uniquement. Une fenêtre privée les oublie à sa fermeture.",
    used: (megabytes) => `Espace utilisé\u00a0: ${megabytes} Mo`,
    kept: "Le navigateur garde les parties jusqu’à ce que vous les supprimiez.",
    notKept: "Le navigateur peut supprimer les parties si la place vient à manquer.",
    keep: "Lui demander de les garder",
    refused: "Le navigateur a refusé. Il acceptera peut-être une fois l’application installée ou après d’autres visites.",
    save: "Sauvegarder les tables",
    load: "Charger des tables",
    loaded: (stored, known) => `${stored > 1 ? `${stored} tables chargées` : `${stored} table chargée`}${known ? `\u00a0; ${known} déjà ici` : ""}.`,
    bad: "Ce fichier ne contient pas de tables, ou il est abîmé.",
    remove: "Tout supprimer",
    sure: "Toutes les parties, les réglages et les fichiers de ce site seront supprimés de ce navigateur. Sauvegardez d’abord les tables si vous voulez les garder.",
    no: "Annuler",
  },
};

export const words = (): Words => (settings.language === "fr" ? fr : en);
