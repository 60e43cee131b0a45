/** Whether this device belongs to a profile; what belongs to profiles is loaded only then. */
import { isSite } from "./addresses";
import { remember, remembered } from "./storage";

/** Keys can be kept only on pages with HTTPS or of this machine, and a static site has no profiles. */
export const canHaveProfile = (): boolean => !isSite && window.isSecureContext && "indexedDB" in window;

export const hasProfile = (): boolean => remembered("profile", false) && canHaveProfile();

export const noteProfile = (has: boolean): void => remember("profile", has);
