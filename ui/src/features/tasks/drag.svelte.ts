import type { TaskRow } from '../../host';
import type { Put } from './arrange';

/** So far the pointer goes before a press is a drag. */
const DRAG_PX = 5;

/** Where the pointer is, and what putting the tasks down there would do; null: nothing. */
export interface Aim {
  x: number;
  y: number;
  /** The row they would stand beside. */
  row: string | null;
  after: boolean;
  put: Put | null;
}

/** Tasks a person holds by the pointer, until they are put down or let go. */
export class Dragged {
  tasks = $state.raw<TaskRow[]>([]);
  aim = $state.raw<Aim | null>(null);
  #from: { x: number; y: number; tasks: TaskRow[] } | null = null;
  /** The click that ends a drag is none. */
  #ended = false;

  constructor(
    readonly find: (moved: TaskRow[], x: number, y: number) => Omit<Aim, 'x' | 'y'>,
    readonly drop: (put: Put, moved: TaskRow[]) => void,
  ) {}

  /** A pointer goes down on a row. A finger scrolls; it opens the task and gives it another date there. */
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

  /** They stay where they were. */
  letGo(): void {
    this.#from = null;
    this.tasks = [];
    this.aim = null;
  }

  /** Whether a click only ends a drag. */
  endsDrag(): boolean {
    const ended = this.#ended;
    this.#ended = false;
    return ended;
  }
}
