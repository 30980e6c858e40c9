import { words } from '../words';

export const sources = words({
  'peek.title': 'Source',
  'peek.gone': 'It is not there any more.',
  'peek.from': 'From',
  'peek.to': 'To',
  'peek.cc': 'Cc',
  'peek.at': 'Received',
  'peek.email': 'Address',
  'peek.phone': 'Telephone',
  'peek.organisation': 'Organisation',
  'peek.text': 'Text of the mail',
  'peek.note': 'Text of others. It is shown as text and asks for nothing here.',
});
