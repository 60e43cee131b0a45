/** How friends meet at tables of this device. A static site has these settings in its page, as `data-meeting`; the
 * pages of a server have none, because the server is the table. */
export interface MeetingSettings {
  /** The address of an Archipel server with `--rendezvous`, without a slash at the end; none by default. */
  signalling: string | null;
  /** STUN and TURN servers; none by default. */
  ice: RTCIceServer[];
  /** The address of an Archipel server with `--take-tables`, where tables of this site may continue; none by default. */
  server: string | null;
}

export function meetingSettings(): MeetingSettings | null {
  const text = document.documentElement.dataset["meeting"];
  return text === undefined ? null : { signalling: null, ice: [], server: null, ...(JSON.parse(text || "{}") as Partial<MeetingSettings>) };
}
