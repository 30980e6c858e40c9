import { render, screen, waitFor } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { host, HostFault } from '../../host';
import EraseDialog from './EraseDialog.svelte';
import ModelFile from './ModelFile.svelte';
import ModelForm from './ModelForm.svelte';

describe('the form of a connection', () => {
  it('says of a provider only what that one said, and asks the one that was chosen meanwhile', async () => {
    const kinds = [
      { kind: 'ollama', label: 'Ollama', base_url: 'http://127.0.0.1:11434/v1' },
      { kind: 'llama_cpp', label: 'llama.cpp', base_url: 'http://127.0.0.1:8080/v1' },
    ];
    const real = host.call.bind(host);
    const asked: { kind: string; fail: () => void }[] = [];
    vi.spyOn(host, 'call').mockImplementation(((op: string, args: { connection: { kind: string } }) =>
      op === 'list_models'
        ? new Promise((_, no) =>
            asked.push({
              kind: args.connection.kind,
              fail: () => no(new HostFault({ code: 'x', message: `Not there: ${args.connection.kind}.`, hint: '' })),
            }),
          )
        : real(op as never, args as never)) as never);
    render(ModelForm, { kinds, draft: { kind: 'ollama' }, taken: [], ondone: () => undefined });
    await userEvent.click(screen.getByRole('button', { name: 'What models are there?' }));
    await waitFor(() => expect(asked.map((one) => one.kind)).toEqual(['ollama']));
    await userEvent.selectOptions(screen.getByLabelText('Provider'), 'llama_cpp');
    asked[0]?.fail();
    await waitFor(() => expect(asked.map((one) => one.kind)).toEqual(['ollama', 'llama_cpp']));
    expect(screen.queryByText('Not there: ollama.')).toBeNull();
    asked[1]?.fail();
    await screen.findByText('Not there: llama_cpp.');
  });

  it('says why no file could be chosen', async () => {
    vi.spyOn(host, 'choosePaths').mockRejectedValueOnce(
      new HostFault({ code: 'x', message: 'The system shows no dialog.', hint: '' }),
    );
    render(ModelFile, { path: '' });
    await userEvent.click(screen.getByRole('button', { name: 'Choose a file…' }));
    await screen.findByText('The system shows no dialog.');
  });
});

describe('erasing everything', () => {
  it('cannot be left while it goes on, and says how it failed', async () => {
    let fail: () => void = () => undefined;
    const onclose = vi.fn();
    render(EraseDialog, { profile: 'Work', onclose });
    vi.spyOn(host, 'call').mockImplementationOnce(
      () => new Promise((_, no) => (fail = () => no(new HostFault({ code: 'x', message: 'In use.', hint: '' })))),
    );
    await userEvent.type(screen.getByRole('textbox'), 'Work{Enter}');
    await screen.findByText('Erasing…');
    screen.getByRole('dialog').dispatchEvent(new Event('cancel', { cancelable: true }));
    expect(onclose).not.toHaveBeenCalled();
    fail();
    await screen.findByText('In use.');
    screen.getByRole('dialog').dispatchEvent(new Event('cancel', { cancelable: true }));
    expect(onclose).toHaveBeenCalledOnce();
  });
});
