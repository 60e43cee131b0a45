import type { About } from "./about";

export const about: Record<string, About> = {
  "deep-sea": {
    aim: "Dive along a line of chips, pick up what you can and bring it back to the submarine. The farther out a chip lies, the more it is worth.",
    turn: [
      "Breathe: everybody shares one tank of air, and each chip you hold uses 1 of it.",
      "Roll two dice and swim that far, minus one step for each chip you hold. You may turn back once.",
      "Take the chip where you stop, without knowing what it is worth, or leave it.",
    ],
    fear: "When the air runs out, divers who are still outside lose everything they hold. And the more chips everybody carries, the faster it runs out.",
    end: "After three rounds the player with the most points wins.",
  },
  "the-island": {
    aim: "Bring your explorers from the sinking island to the safe islands in the corners. Each of them has a value from 1 to 6, and only you know which of yours are worth the most.",
    turn: [
      "If you hold a tile, you may play it: a dolphin carries one of your swimmers, a wind pushes one of your boats.",
      "Move: you have three points for your explorers and for boats, on foot, aboard or swimming.",
      "Remove a tile: beaches first, then forests, then mountains. What is under it happens at once, or is yours to keep.",
      "Roll the die and, if you like, move a creature of that kind against the others.",
    ],
    fear: "Sharks eat swimmers, whales overturn boats with people in them, serpents take both. And only the player with the most explorers aboard may move a boat.",
    end: "The volcano is under one of the mountains. When it erupts, the game ends, and only explorers on the safe islands count.",
  },
  atlantis: {
    aim: "Bring your tribe from Atlantis to the Coral Islands in the corners before the island has sunk.",
    turn: [
      "Move: you have three points for your people and for boats. A swimmer in the same space as a dolphin may ride on its back.",
      "Sink a piece of the island: plains first, then hills, then mountains. You decide where the people on it go.",
      "Spin: the spinner shows an animal, and you may move one of that kind.",
    ],
    fear: "Sharks eat swimmers, octopuses sink boats with people in them, sea monsters take everything, and a whirlpool empties the sea around it.",
    end: "The game ends as soon as a tribe has nobody left on the island or at sea. The player with the most people on the Coral Islands wins.",
  },
  "mauna-kea": {
    aim: "The volcano erupts. Collect artefacts on the island and sail away with them before the lava comes.",
    turn: [
      "Use each of your tiles once: lay it to build a path, or spend its points.",
      "Use the points to move: jungle costs 1, a lake 2, and mountains cannot be crossed. Pick up artefacts on the way.",
      "Draw new tiles. If you draw lava, it flows at once.",
    ],
    fear: "Lava flows out from the volcano and covers one space after another. Explorers on a covered space are lost.",
    end: "The end comes when a player has no explorer left on the island. You score for the explorers and artefacts you saved, and lose 1 point for each empty place in your boats.",
  },
};
