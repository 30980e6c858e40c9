export const profile = {
  'profile.menu': 'Profile {name}',
  'profile.back': 'Back to {name}',
  'profile.sample_hint': 'made-up data',
  'profile.sample': 'Sample data',
  'profile.sample_mark': 'A made-up week. Nothing here is yours, and nothing you try here touches what is.',
  'profile.opening': 'Opening {name}…',
  'profile.palette': 'Open the profile {name}',
} as const;
