import type { About } from "./about";

export const about: Record<string, About> = {
  "deep-sea": {
    aim: "Dive along a line of ruins, pick up what you can and bring it back to the submarine. The farther out, the more it is worth.",
    turn: [
      "Breathe: everybody shares one supply of air, and each thing you hold takes one from it.",
      "Throw two dice and swim that far, less one step for each thing you hold. You may turn back once.",
      "Take what lies where you stop, without knowing its worth, or leave it.",
    ],
    fear: "When the air runs out, whoever is still outside loses everything they hold. And it runs out faster the more everybody takes.",
    end: "After three rounds the most points win.",
  },
  "the-island": {
    aim: "Bring your explorers from the sinking island to the safe islands in the corners. Each carries a treasure of its own, and only you know which is worth most.",
    turn: [
      "Move: three points for your explorers and for boats, on land, aboard or swimming.",
      "Take a tile away, beaches first, then forests, then mountains. What it hides happens at once, or is yours to keep.",
      "Throw the die and, if you like, move a creature of that kind against the others.",
    ],
    fear: "Sharks eat swimmers, whales turn boats over, serpents take both. And a boat obeys whoever has the most explorers aboard.",
    end: "One mountain hides the volcano: when it erupts, only those on the safe islands count.",
  },
  atlantis: {
    aim: "Lead your tribe off Atlantis before it has sunk, to the Coral Islands in the corners.",
    turn: [
      "Move: three points for your people and for boats. A swimmer who is with a dolphin may ride on its back.",
      "Sink a piece of the island: plains first, then hills, then mountains. You decide where those on it go.",
      "Spin: the wheel names an animal, and you may move one of that kind.",
    ],
    fear: "Sharks eat swimmers, octopuses sink boats, sea monsters take everything, and a whirlpool empties the sea around it.",
    end: "As soon as a tribe has nobody left on the island or at sea, whoever has the most people on the Coral Islands wins.",
  },
  "mauna-kea": {
    aim: "The volcano erupts. Fetch artefacts on the island and sail away with them before the lava comes.",
    turn: [
      "Use each of your tiles once: lay it to make the way, or spend its points.",
      "Run with the points: jungle costs 1, a lake 2, and mountains cannot be crossed. Pick up artefacts on the way.",
      "Draw new tiles. Lava among them flows at once.",
    ],
    fear: "Lava covers one space after another from the volcano on. Whoever stands there is lost, and the start is the first to go.",
    end: "When somebody has no explorer left on the island, saved explorers and artefacts score, and empty places in your boats cost.",
  },
};
