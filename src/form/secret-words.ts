// The words for secrets: what counts as one, and the words around it that make it something else.

/** Words that are secrets wherever they are the thing asked for, in their usual spellings. */
const STRONG = [
  String.raw`[a-z]*(?:password|passwd|passphrase|passcode)(?:s|confirm|confirmation|repeat|again)?\d*`,
  String.raw`(?:pwd|pswd|psw|pword|pw)\d*`,
  '[a-z]*(?:api|access|secret|private|auth|encryption|signing|master|shared)keys?',
  '(?:api|access|secret|private|auth|authentication|authorization|encryption|decryption|signing|master|shared|service account|account)(?: [a-z0-9]+)? keys?',
  '[a-z]*secrets?',
  '[a-z]*(?:access|auth|api|bearer|refresh|session|bot)tokens?',
  '(?:access|auth|api|bearer|refresh|session|bot|oauth|jwt) tokens',
  'token|jwt|bearer',
  'credentials?|creds?',
  'cvv2?|cvc2?|card (?:verification|security) (?:code|value|number)',
  '(?:credit|debit|payment|bank)?card ?(?:number|num|no|nr)|cc ?(?:number|num|no)|creditcard',
  'otp|totp|one time (?:code|pin|pass)|(?:verification|security|2fa|mfa|otp|authenticator|authentication|login|auth) code',
  '(?:recovery|backup) (?:codes?|phrase|key)|(?:seed|recovery|mnemonic|secret) phrase|mnemonic',
  'passwort|kennwort|contraseña|senha|mot de passe|wachtwoord|lösenord|adgangskode|hasło',
];
/** Words of other scripts, which `\b` knows no bounds for. */
const OTHER_SCRIPTS = /пароль|密码|密碼|パスワード|暗証番号|비밀번호|كلمة المرور|סיסמה/u;
/** `pin` is also a verb, a leg of a chip and a needle: it counts alone or as the end of a phrase. */
const PIN =
  /(?<!\b(?:gpio|led|input|output|digital|analog|data|clock|reset|header|rolling|map|safety|drop|chip|to|unpin|and|or|please|auto|location) )\bpin(?= codes?$| codes?\b| ?numbers?\b| no$| again$| confirmation$|$| (?:for|of) (?:your|the|this|my)\b| (?:used|that)\b)/gu;
/** `pass` is a ticket or a verb anywhere but at the end of such a name. */
const PASS =
  /^(?:(?:db|database|user|smtp|imap|admin|ftp|login|root|mail|email|account|wifi|ssh|proxy|auth) ?)?pass$/u;

/** What follows a secret's name where not the secret is asked for but a fact about it. */
const FACT =
  /^ (?:names?|types?|counts?|limits?|lengths?|polic(?:y|ies)|hints?|ids?|identifiers?|expiry|expiration|expires?|ttl|lifetime|age|urls?|uris?|endpoints?|enabled|strength|formats?|kinds?|managers?|rotation|scopes?|providers?|address(?:es)?|symbols?|usage|budgets?|paths?|files?|filenames?|locations?|stor(?:e|age)s?|vaults?|owners?|issuers?|audience|sizes?|window|rates?|price|balance|amount|supply|contracts?|standard|questions?|santa|ingredients?|messages?|based|protected|options?|settings?|modes?|methods?|requirements?|rules?|positions?|prefix(?:es)?|ind(?:ex|ices)|pools?|distribution|versions?|status|states?|refs?|references?|holders?|brands?|networks?|colou?rs?|levels?|agents?|garden|service|society)\b/u;
/** What stands right before a secret's name where it is another thing of that name, or a yes-or-no question about it. */
const OTHER =
  /\b(?:page|next|continuation|cursor|sync|pagination|stop|eos|bos|pad|padding|unk|mask|cancellation|design|reward|governance|nft|erc20|erc721|utility|native|special|end|start|max|min|per|each|output|input|prompt|has|is|use|uses|show|hide|remember|forgot|require|requires|generate|rotate|revoke|enable|disable|allow|skip|delete|non|public|top|trade|open) $/u;

/**
 * Where in a phrase of lower-case words a secret is named, or `undefined`. The phrase is a name or a clause; whether it asks for
 * the secret or warns against it is for the caller to tell.
 */
export function secretIn(phrase: string): number | undefined {
  if (PASS.test(phrase)) return 0;
  const other = phrase.search(OTHER_SCRIPTS);
  if (other >= 0) return other;
  const strong = new RegExp(`(?<![\\p{L}\\p{N}])(?:${STRONG.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
  for (const expression of [strong, PIN]) {
    for (const match of phrase.matchAll(expression)) {
      const rest = phrase.slice(match.index + match[0].length);
      if (!FACT.test(rest) && !OTHER.test(phrase.slice(0, match.index))) return match.index;
    }
  }
  return undefined;
}
