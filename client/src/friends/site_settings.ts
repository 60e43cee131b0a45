/** Servers for meeting friends, which the builder of a static site configures; none by default. */
interface Servers {
  /** The address of an Archipel server with `--rendezvous`, without a slash at the end. */
  signalling: string | null;
  /** STUN and TURN. */
  ice: RTCIceServer[];
}

export function meetingServers(): Servers {
  const { signalling, ice } = document.documentElement.dataset;
  return { signalling: signalling || null, ice: ice ? (JSON.parse(ice) as RTCIceServer[]) : [] };
}
