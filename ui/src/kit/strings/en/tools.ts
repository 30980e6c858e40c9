import { words } from '../words';

/** Settings, Tools: what programs of others bring, and what other programs get. */
export const tools = words({
  'settings.tools': 'Tools',
  'settings.tools_lead':
    'Servers add tools to Adjutant. Other programs can use Adjutant. Both by the Model Context Protocol, and neither does anything without your word.',
  'settings.tools_words': 'tools mcp server plugin extension connect claude program share',
  'share.title': 'Adjutant for other programs',
  'share.words': 'mcp serve share other programs claude editor connect',
  'share.about':
    'A program you set up can read what you share here, and propose changes. Every change waits for you in Approvals. No program can approve, change settings, import or erase.',
  'share.what': 'What they may read, and propose to change',
  'share.calendar': 'Calendar',
  'share.calendar_note': 'Events with their times, places and guests',
  'share.tasks': 'Tasks',
  'share.tasks_note': 'Tasks and reminders',
  'share.contacts': 'Contacts',
  'share.contacts_note': 'Names, addresses and numbers',
  'share.notes': 'Notes',
  'share.notes_note': 'All notes with their texts',
  'share.mail': 'Mail',
  'share.mail_note': 'All mail with its texts. What a program reads may leave this computer with it',
  'share.memory': 'Memory',
  'share.memory_note': 'What Adjutant remembers. Passwords and other secrets are left out',
  'share.fixed': 'Set where Adjutant was started, so it cannot be changed here.',
  'share.now': { one: '{n} kind is shared from now on.', other: '{n} kinds are shared from now on.' },
  'share.none': 'Nothing is shared from now on.',
  'share.connect': 'Connect a program',
  'share.connect_body':
    'Most programs take this in their list of MCP servers, for example claude_desktop_config.json or .mcp.json. The program starts Adjutant itself; no password is needed.',
  'share.copy': 'Copy',
  'share.copied': 'Copied. Paste it into the settings of the program.',
  'share.http':
    'A program that connects by address: run this in a terminal. It prints the address and, the first time, a token. Nothing outside this computer can connect.',
  'share.copy_command': 'Copy the command',
  'share.copied_command': 'The command is copied.',
});
