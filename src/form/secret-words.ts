// The words for secrets: what counts as one, and the words around it that make it something else.

/**
 * Words that are secrets wherever they are the thing asked for, in their usual spellings; each is a regular
 * expression.
 */
const STRONG = [
  String.raw`[a-z]*(?:password|passwd|passphrase|passcode)(?:s|confirm|confirmation|repeat|again)?\d*`,
  String.raw`(?:pwd|pswd|psw|pword|pw)\d*`,
  '[a-z]*(?:api|access|secret|private|auth|encryption|signing|master|shared)keys?',
  '(?:api|access|secret|private|auth|authentication|authorization|account)(?: [a-z0-9]+)? keys?',
  '(?:encryption|decryption|signing|master|shared)(?: [a-z0-9]+)? keys?',
  '(?:client|shared|app|webhook|my|user)?secrets?',
  // "tokens" alone are counted, not kept secret.
  'token|[a-z]*(?:access|auth|api|bearer|refresh|session|bot)tokens?',
  '(?:access|auth|api|bearer|refresh|session|bot|oauth|jwt) tokens|jwt|bearer',
  'credentials?|creds?',
  'cvv2?|cvc2?|card (?:verification|security) (?:code|value|number)',
  '(?:credit|debit|payment|bank)?card ?(?:number|num|no|nr)|cc ?(?:number|num|no)|(?:credit|debit) ?card',
  'otp|totp|one time (?:code|pin|pass)|(?:2fa|mfa|otp|auth|authentication|authenticator|login) code',
  '(?:verification|security) code|(?:recovery|backup) (?:codes?|phrase|key)',
  '(?:seed|recovery|mnemonic|secret) phrase|mnemonic',
  'passwort|kennwort|contraseña|senha|mot de passe|wachtwoord|lösenord|adgangskode|hasło',
].join('|');
/** Words of other scripts, which are not set apart by spaces. */
const OTHER_SCRIPTS = /пароль|密码|密碼|パスワード|暗証番号|비밀번호|كلمة المرور|סיסמה/u;

/** `pin` is also a verb, a leg of a chip and a needle: it counts alone or at the end of a phrase. */
const PIN =
  /\bpin(?=,|$| codes?\b| ?numbers?\b| (?:no|again|confirmation)$| (?:for|of) (?:your|the|this|my)\b| (?:used|that)\b)/g;
/** The legs of chips, other needles, and the verb. */
const OTHER_PIN = either(`
  gpio led input output digital analog data clock reset header rolling map safety drop chip to unpin and or please auto
  location
`);
/** `pass` is a ticket or a verb anywhere but at the end of such a name. */
const PASS =
  /^(?:(?:db|database|user|smtp|imap|admin|ftp|login|root|mail|email|account|wifi|ssh|proxy|auth) ?)?pass$/;

/** What follows a secret's name where a fact about the secret is asked for, not the secret. */
const FACT = new RegExp(
  `^ (?:${either(`
    names? types? kinds? formats? counts? limits? lengths? sizes? usage budgets? amount balance supply price rates? levels?
    policy policies rules? requirements? strength hints? questions? messages? options? settings? modes? methods? enabled
    ids? identifiers? refs? references? ind(?:ex|ices) positions? prefix(?:es)? versions? status states? standard symbols?
    expiry expiration expires? ttl lifetime age window rotation
    urls? uris? endpoints? address(?:es)? paths? files? filenames? locations? stor(?:e|age)s? vaults? pools?
    managers? providers? owners? holders? issuers? audience scopes? agents? services? networks? brands? contracts?
    distribution colou?rs? based protected santa ingredients? garden society
  `)})\\b`,
);
/**
 * What stands right before a secret's name where it is another thing of that name, or a yes-or-no question about
 * it.
 */
const OTHER = either(`
  page next continuation cursor sync pagination stop eos bos pad padding unk mask cancellation start end special native
  design reward governance utility nft erc20 erc721 max min per each input output prompt
  has is use uses show hide remember forgot require requires generate rotate revoke enable disable allow skip delete
  non public top trade open
`);

/**
 * Where in a phrase of lower-case words a secret is named, or `undefined`. The phrase is a name or a clause;
 * whether it asks for the secret or warns against it is for the caller to tell.
 */
export function secretIn(phrase: string): number | undefined {
  if (PASS.test(phrase)) return 0;
  const foreign = phrase.search(OTHER_SCRIPTS);
  if (foreign >= 0) return foreign;
  const strong = new RegExp(`(?<![\\p{L}\\p{N}])(?:${STRONG})(?![\\p{L}\\p{N}])`, 'gu');
  return find(phrase, strong, OTHER) ?? find(phrase, PIN, OTHER_PIN);
}

function find(phrase: string, expression: RegExp, other: string): number | undefined {
  const otherBefore = new RegExp(`\\b(?:${other}) $`);
  for (const match of phrase.matchAll(expression)) {
    const after = phrase.slice(match.index + match[0].length);
    // The longest word above has twelve letters: looking further back would only cost time.
    const before = phrase.slice(Math.max(0, match.index - 14), match.index);
    if (!FACT.test(after) && !otherBefore.test(before)) return match.index;
  }
  return undefined;
}

/** Words set apart by white space, as the branches of a regular expression. */
export function either(words: string): string {
  return words.trim().split(/\s+/).join('|');
}
