export const profile = {
  'profile.menu': 'Profile {name}',
  'profile.back': 'Back to {name}',
  'profile.sample_hint': 'made-up data',
  'profile.sample': 'Sample data',
  'profile.sample_remove': 'Remove it',
  'profile.sample_remove_title': 'Remove the sample data?',
  'profile.sample_remove_body': 'What you tried here goes with it. Nothing of {name} changes.',
  'profile.sample_mark': 'A made-up week. Nothing here is yours, and nothing you try here touches what is.',
  'profile.opening': 'Opening {name}…',
  'profile.palette': 'Open the profile {name}',
} as const;
