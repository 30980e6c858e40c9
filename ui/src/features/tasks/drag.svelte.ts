import type { TaskRow } from '../../host';
import type { Put } from './arrange';

/** A press becomes a drag after the pointer has moved this far. */
const DRAG_PX = 5;

/** The pointer position, and the effect of dropping the tasks there; null for none. */
export interface Aim {
  x: number;
  y: number;
  /** The row they would be dropped beside. */
  row: string | null;
  after: boolean;
  put: Put | null;
}

/** The tasks that the person drags with the pointer, until they drop them or let go. */
export class Dragged {
  tasks = $state.raw<TaskRow[]>([]);
  aim = $state.raw<Aim | null>(null);
  #from: { x: number; y: number; tasks: TaskRow[] } | null = null;
  /** A click follows the end of a drag; it must not open the task. */
  #ended = false;

  constructor(
    readonly find: (moved: TaskRow[], x: number, y: number) => Omit<Aim, 'x' | 'y'>,
    readonly drop: (put: Put, moved: TaskRow[]) => void,
  ) {}

  /** A pointer is pressed on a row. Touch scrolls instead; a tap opens the task, where its date can be changed. */
  take(pointer: PointerEvent, tasks: TaskRow[]): void {
    this.#ended = false;
    if (pointer.button !== 0 || pointer.pointerType === 'touch' || pointer.shiftKey || pointer.ctrlKey) return;
    this.#from = { x: pointer.clientX, y: pointer.clientY, tasks };
  }

  move(pointer: PointerEvent): void {
    const from = this.#from;
    if (!from) return;
    const { clientX: x, clientY: y } = pointer;
    if (this.tasks.length === 0 && Math.hypot(x - from.x, y - from.y) < DRAG_PX) return;
    this.tasks = from.tasks;
    this.aim = { x, y, ...this.find(from.tasks, x, y) };
  }

  up(): void {
    const { tasks, aim } = this;
    this.letGo();
    this.#ended = tasks.length > 0;
    if (aim?.put && tasks.length > 0) this.drop(aim.put, tasks);
  }

  /** Lets go without moving anything. */
  letGo(): void {
    this.#from = null;
    this.tasks = [];
    this.aim = null;
  }

  /** Whether this click only ends a drag. Asking clears the answer. */
  endsDrag(): boolean {
    const ended = this.#ended;
    this.#ended = false;
    return ended;
  }
}
