/**
 * Domains at which many who have nothing to do with each other have an address or a page: whoever has one there proves nothing
 * of an organization. The list is ours and short: it has what records of a directory link to, not every hoster of the public
 * suffix list. What it lacks harms little, as an address must be at the very host of the website, hosters of pages give their
 * customers none there, and the first claim waits for a person who reads the host.
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
    // Pages, blogs and shops of many, below a name of their own or at a path.
    'google.com goo.gl wix.com wixsite.com wixstudio.com editorx.io weebly.com weeblysite.com squarespace.com square.site',
    'wordpress.com wordpress.org wpcomstaging.com wpengine.com blogger.com tumblr.com medium.com substack.com ghost.io',
    'typepad.com livejournal.com godaddy.com godaddysites.com jimdo.com jimdosite.com jimdofree.com site123.me webs.com',
    'webnode.com webnode.page strikingly.com mystrikingly.com carrd.co canva.com canva.site my.canva.site notion.so',
    'notion.site webflow.io framer.app framer.website hs-sites.com myshopify.com zohosites.com yolasite.com homestead.com',
    'altervista.org neocities.org angelfire.com tripod.com geocities.com duda.co business.site issuu.com mailchi.mp',
    'constantcontact.com sharepoint.com translate.goog squareup.com bigcartel.com clover.com',
    // Programs and files of many.
    'github.com github.io gitlab.com gitlab.io bitbucket.io codeberg.page netlify.app vercel.app now.sh pages.dev',
    'workers.dev r2.dev herokuapp.com onrender.com fly.dev glitch.me repl.co replit.app surge.sh web.app firebaseapp.com',
    'appspot.com run.app azurewebsites.net azurestaticapps.net windows.net cloudfront.net amazonaws.com',
    'digitaloceanspaces.com ondigitalocean.app pantheonsite.io readthedocs.io 000webhostapp.com infinityfreeapp.com',
    'duckdns.org ddns.net hopto.org no-ip.org ngrok.io ngrok.app trycloudflare.com',
    // Short addresses and lists of links.
    'linktr.ee bit.ly tinyurl.com ow.ly is.gd beacons.ai lnk.bio about.me',
    // Directories of many agencies.
    'guidestar.org candid.org 211.org findhelp.org auntbertha.com greatnonprofits.org foodpantries.org',
  ].flatMap((row) => row.split(' ')),
);

/** Whether a host is such a domain, or below one. Blogs of Blogger are below the name of each country. */
export const isSharedHost = (host: string): boolean =>
  /(?:^|\.)blogspot\.(?:com?\.)?[a-z]{2,3}$/.test(host) ||
  host.split('.').some((_, start, labels) => sharedDomains.has(labels.slice(start).join('.')));

/** What registries of countries put before the name of the country: nobody is `org.uk`. */
const secondLevel =
  /^(?:ac|asso|biz|co|com|ed|edu|gen|go|gob|gouv|gov|govt|gub|info|k12|ltd|me|mil|ne|net|nhs|nom|or|org|plc|police|sch|school)$/;

/** In the United States a state, and what is below it, stands before the country: `fl.us`, `k12.fl.us`. */
const ofState = /^(?:(?:k12|cc|lib|tec|ci|co|state|dst|cog|gen|pvt\.k12)\.)?[a-z]{2}\.us$/;

/** Whether names of many are registered right below a host. */
export function isPublicSuffix(host: string): boolean {
  const labels = host.split('.');
  const [first = '', country = ''] = labels;
  if (labels.length === 1 || ofState.test(host)) return true;
  return labels.length === 2 && country.length === 2 && secondLevel.test(first);
}
