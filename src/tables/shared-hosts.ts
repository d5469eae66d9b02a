/**
 * Domains at which many who have nothing to do with each other have an address or a page: whoever has one there proves nothing
 * of an organization. Page hosters that give each customer a name of its own are in the public suffix list and not repeated.
 */
const sharedDomains: ReadonlySet<string> = new Set(
  [
    // Free mail, and mail of providers of access.
    'gmail.com googlemail.com outlook.com hotmail.com hotmail.es live.com msn.com yahoo.com yahoo.es yahoo.fr',
    'ymail.com rocketmail.com aol.com icloud.com me.com mac.com proton.me protonmail.com pm.me gmx.com gmx.net',
    'gmx.de mail.com email.com zoho.com zohomail.com yandex.com yandex.ru fastmail.com tutanota.com tuta.io',
    'hushmail.com mail.ru qq.com 163.com comcast.net xfinity.com att.net sbcglobal.net bellsouth.net verizon.net',
    'cox.net charter.net spectrum.net earthlink.net juno.com netzero.net optonline.net frontier.com windstream.net',
    'centurylink.net',
    // Networks, films, reviews, meetings, money.
    'facebook.com fb.com fb.me instagram.com threads.net x.com twitter.com t.co linkedin.com tiktok.com youtube.com',
    'youtu.be pinterest.com nextdoor.com reddit.com discord.com discord.gg whatsapp.com wa.me t.me telegram.me',
    'yelp.com eventbrite.com meetup.com gofundme.com paypal.com paypal.me patreon.com vimeo.com flickr.com',
    // Pages and blogs of many, also where each has a path.
    'google.com goo.gl wix.com wixsite.com weebly.com squarespace.com wordpress.com wordpress.org blogger.com',
    'blogspot.com tumblr.com medium.com substack.com godaddy.com godaddysites.com jimdo.com jimdosite.com',
    'site123.me webs.com webnode.com strikingly.com carrd.co canva.com canva.site notion.so notion.site github.com',
    'github.io gitlab.com gitlab.io netlify.app vercel.app pages.dev herokuapp.com web.app firebaseapp.com',
    'azurewebsites.net cloudfront.net amazonaws.com appspot.com business.site sharepoint.com mailchi.mp',
    'constantcontact.com issuu.com angelfire.com tripod.com geocities.com duda.co',
    // Short addresses and lists of links.
    'linktr.ee bit.ly tinyurl.com ow.ly is.gd beacons.ai lnk.bio about.me',
    // Directories of many agencies.
    'guidestar.org candid.org 211.org findhelp.org auntbertha.com greatnonprofits.org foodpantries.org',
  ].flatMap((row) => row.split(' ')),
);

/** Whether a host is such a domain, or below one. */
export const isSharedHost = (host: string): boolean =>
  host.split('.').some((_, start, labels) => sharedDomains.has(labels.slice(start).join('.')));
