import type { JobRow, Repeats } from '../../host';
import { zoned } from '../../kit/moment';
import { t, type PlainKey } from '../../kit/strings';
import '../../kit/strings/en/jobs';
import { dayOf, momentText, timeText, weekdayText } from '../../kit/time';
import { sizeText } from './size';

/** A Monday that is the first of its month, so the days of the week are the first seven days. */
const A_MONDAY = '2026-06-01';
/** Only the latest finished jobs are shown. */
const OVER_MAX = 20;

export interface JobGroups {
  /** Running, or waiting for the person. */
  now: JobRow[];
  /** Not due yet. */
  coming: JobRow[];
  /** Finished, latest first. */
  over: JobRow[];
}

/**
 * Splits jobs into groups. The engine lists what comes next first, then finished jobs, latest first. A job that
 * withdraws an unanswered action does nothing beyond it, and its action is in Approvals, so it is listed only if it
 * failed.
 */
export function groupJobs(jobs: readonly JobRow[]): JobGroups {
  const groups: JobGroups = { now: [], coming: [], over: [] };
  for (const job of jobs) {
    if (job.kind === 'expire' && job.state !== 'failed') continue;
    if (job.state === 'running' || job.state === 'paused') groups.now.push(job);
    else if (job.state === 'waiting') groups.coming.push(job);
    else if (groups.over.length < OVER_MAX) groups.over.push(job);
  }
  return groups;
}

/** The title of a job, or the name of its kind. */
export function titleOf(job: JobRow): string {
  return job.title.trim() || t(`jobs.kind_${job.kind}`);
}

/** Progress in bytes, of the bytes the person agreed to. */
export function shareOf(job: JobRow): { done: number; of: number } | null {
  if (job.state !== 'running' || job.done === null || !job.budget) return null;
  return { done: Math.min(job.done, job.budget), of: job.budget };
}

/** The state of a job, with its time. */
export function stateText(job: JobRow): string {
  const share = shareOf(job);
  const why = job.why ?? '';
  switch (job.state) {
    case 'running':
      return share === null
        ? t('jobs.running')
        : t('jobs.running_share', { done: sizeText(share.done), of: sizeText(share.of) });
    case 'waiting': {
      const when = momentText(job.next ?? job.at);
      if (why === '') return t('jobs.next', { when });
      return t(job.attempts > 0 ? 'jobs.again' : 'jobs.next_why', { when, why });
    }
    case 'paused':
      return why === '' ? t('jobs.paused') : t('jobs.paused_why', { why });
    case 'done':
      return t(job.late ? 'jobs.done_late' : 'jobs.done', { when: momentText(job.at) });
    case 'skipped':
      return t('jobs.skipped', { when: momentText(job.at), why });
    case 'failed':
      return t('jobs.failed', { why });
    case 'stopped':
      return t('jobs.stopped', { when: momentText(job.at) });
  }
}

const CAUGHT_UP: Record<string, PlainKey> = {
  once: 'jobs.missed_once',
  skip: 'jobs.missed_skip',
  each: 'jobs.missed_each',
};

function oftenText(job: JobRow, repeats: Repeats): string {
  switch (repeats.every) {
    case 'day':
      return t('jobs.every_day', { time: timeText(zoned(dayOf(job.at), repeats.at)) });
    case 'week':
      return t('jobs.every_week', {
        day: weekdayText(A_MONDAY.replace('01', `0${repeats.day}`), 'long'),
        time: timeText(zoned(dayOf(job.at), repeats.at)),
      });
    case 'hours':
      return t('jobs.every_hours', { n: repeats.hours });
    case 'minutes':
      return t('jobs.every_minutes', { n: repeats.minutes });
  }
}

/** How often a job runs, and what happens to a missed run; null for a job that runs once. */
export function repeatsText(job: JobRow): string | null {
  const { repeats } = job;
  if (!repeats) return null;
  const often = oftenText(job, repeats);
  const missed = CAUGHT_UP[job.catch_up];
  return missed === undefined ? often : `${often} ${t(missed)}`;
}
