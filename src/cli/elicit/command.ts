// `mcpx elicit`: the questions that wait, and the ways to answer them.
import { Command, Option } from 'commander';
import type { Cli } from '../io.ts';

const STATES = ['pending', 'accepted', 'declined', 'cancelled', 'expired', 'withdrawn', 'lost'] as const;

/** The family of commands on the broker's rows (docs/terminal.md, "Commands"). */
export function elicitCommand(cli: Cli): Command {
  return new Command('elicit')
    .description('list, watch and answer the questions that servers ask')
    .addCommand(list(cli))
    .addCommand(show(cli))
    .addCommand(answer(cli))
    .addCommand(accept(cli))
    .addCommand(decline(cli))
    .addCommand(cancel(cli))
    .addCommand(done(cli))
    .addCommand(wait(cli))
    .addCommand(watch(cli))
    .addCommand(rules(cli));
}

function list(cli: Cli): Command {
  return new Command('list')
    .description('show the open questions, soonest to expire first')
    .addOption(new Option('--all', 'include closed questions').conflicts('state'))
    .option('--server <name>', 'only questions of this server')
    .addOption(new Option('--state <state>', 'only questions in this state').choices(STATES))
    .action(
      async (options: { all?: true; server?: string; state?: (typeof STATES)[number] }, command: Command) => {
        const { listRows } = await import('./list.ts');
        await listRows(cli.io(command), options);
      },
    );
}

function show(cli: Cli): Command {
  return new Command('show')
    .description('show one question, its form, and how to answer it')
    .argument('<id>', ID)
    .option('--all-choices', 'show every choice, even where there are more than 20')
    .action(async (id: string, options: { allChoices?: true }, command: Command) => {
      const { showRow } = await import('./show.ts');
      await showRow(cli.io(command), id, options);
    });
}

function answer(cli: Cli): Command {
  return new Command('answer')
    .description('answer a question field by field on the terminal')
    .argument('[id]', `${ID}; without it, the first of the list`)
    .addHelpText('after', ANSWER_HELP)
    .action(async (id: string | undefined, _options: unknown, command: Command) => {
      const { answerRow } = await import('./answer.ts');
      await answerRow(cli.io(command), id);
    });
}

function accept(cli: Cli): Command {
  return new Command('accept')
    .description('accept a question: with values for its fields, or by consent to open its URL')
    .argument('<id>', ID)
    .option('-F, --field <name=value>', 'the value of a field; repeat it for other fields', collect)
    .addOption(
      new Option('--input <file>', 'the whole content as JSON; - is standard input').conflicts('field'),
    )
    .addOption(
      new Option(
        '--no-defaults',
        'leave out fields that are not given, even where the question has a default',
      ),
    )
    .option('--dry-run', 'check, print the content that would be sent, and send nothing')
    .option('-y, --yes', 'a url question: you have looked at the URL and consent')
    .option('--open', 'a url question: open the URL in the browser once you have consented')
    .addHelpText('after', ACCEPT_HELP)
    .action(async (id: string, options: AcceptFlags, command: Command) => {
      const { acceptRow } = await import('./accept.ts');
      await acceptRow(cli.io(command), id, options);
    });
}

interface AcceptFlags {
  field?: string[];
  input?: string;
  defaults: boolean;
  dryRun?: true;
  yes?: true;
  open?: true;
}

function decline(cli: Cli): Command {
  return new Command('decline')
    .description('tell the server no')
    .argument('<id>', ID)
    .action(async (id: string, _options: unknown, command: Command) => {
      const { refuseRow } = await import('./settle.ts');
      await refuseRow(cli.io(command), id, 'decline');
    });
}

function cancel(cli: Cli): Command {
  return new Command('cancel')
    .description('dismiss a question without a yes or no')
    .argument('<id>', ID)
    .action(async (id: string, _options: unknown, command: Command) => {
      const { refuseRow } = await import('./settle.ts');
      await refuseRow(cli.io(command), id, 'cancel');
    });
}

function done(cli: Cli): Command {
  return new Command('done')
    .description('say that you have finished at the URL of an accepted question')
    .argument('<id>', ID)
    .action(async (id: string, _options: unknown, command: Command) => {
      const { finishRow } = await import('./done.ts');
      await finishRow(cli.io(command), id);
    });
}

function wait(cli: Cli): Command {
  return new Command('wait')
    .description('wait for a question, and end at once if one is open already')
    .option('--server <name>', 'only questions of this server')
    .option('--timeout <duration>', 'give up after this long (90s, 10m, 1h) with exit code 124')
    .action(async (options: { server?: string; timeout?: string }, command: Command) => {
      const { waitForRow } = await import('./wait.ts');
      await waitForRow(cli.io(command), options);
    });
}

function watch(cli: Cli): Command {
  return new Command('watch')
    .description('follow questions as they come and go; one JSON object a line with --json')
    .option('--server <name>', 'only questions of this server')
    .addHelpText('after', WATCH_HELP)
    .action(async (options: { server?: string }, command: Command) => {
      const { watchRows } = await import('./watch.ts');
      await watchRows(cli.io(command), options);
    });
}

function rules(cli: Cli): Command {
  return new Command('rules').description('try the rules of the configuration on a question').addCommand(
    new Command('test')
      .description('say which rule would decide a question, and why the others would not')
      .argument('<id>', ID)
      .action(async (id: string, _options: unknown, command: Command) => {
        const { testRules } = await import('./rules-test.ts');
        await testRules(cli.io(command), id);
      }),
  );
}

function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

const ID = 'the id of the question, or the beginning of it';

const ANSWER_HELP = `
Prompts are drawn on stderr. Nothing is sent before you choose "Send", "Decline" or "Cancel";
leaving it, Ctrl+C and Ctrl+D send nothing and the question stays open.`;

const ACCEPT_HELP = `
Values are read by the question's own schema: -F n=012 is text in a text field and refused in a whole number.
  -F tags=a -F tags=b   a field that takes several values
  -F note=              an empty text
  -F key=@file          the value is the content of a file, without its last line break
  -F key=@-             the same from standard input, for one field
  -F name=@@ada         a value that begins with @: here "@ada"
A field that asks for a secret takes no plain value, since arguments show in the process list: use @file, @-,
--input or "mcpx elicit answer". No field is ever asked for.

Fields that are left out, by -F and in what --input holds alike, get the default that the question has for them.
--no-defaults leaves them out; --dry-run shows the whole content as it would be sent.

A url question takes no values: the whole URL is shown, and on a terminal the word "yes" consents, elsewhere --yes.
Consent is all that is sent. Nothing is opened without --open, and nothing before you have consented.

Examples:
  mcpx elicit accept elc-9f2c -F repo=me/thing
  echo '{"repo":"me/thing"}' | mcpx elicit accept elc-9f2c --input - --dry-run`;

const WATCH_HELP = `
Starts with the questions that are open already. With --json each line is {"event","row"}, and event is opened,
answered, delivered, undelivered (the gateway was gone before the server had the answer), completed, expired,
withdrawn or lost; with --quiet each line is the id of a question that opened. Ends on Ctrl+C, and with the next change once its reader has gone; that changes no question.`;
