// The simulated time that the page shows: it advances at a speed, or step by step.

export class Player {
  now_ns = 0;
  isPlaying = false;
  private last_ms = 0;
  private asked = 0;

  /** `limit` returns the time simulated so far; `show` draws. For users who prefer reduced motion, time advances in steps.
   */
  constructor(
    public speed: number,
    private readonly limit: () => number,
    private readonly show: (now_ns: number) => void,
    private readonly stopped: () => void,
    private readonly isCalm: () => boolean,
  ) {}

  private static readonly CALM_STEP_MS = 700;

  toggle(): void {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  play(): void {
    this.isPlaying = true;
    this.last_ms = performance.now();
    this.request();
  }

  pause(): void {
    this.isPlaying = false;
    cancelAnimationFrame(this.asked);
    this.stopped();
  }

  /** Go to a simulated time in nanoseconds. */
  seek(now_ns: number): void {
    this.now_ns = Math.max(0, now_ns);
    this.show(this.now_ns);
  }

  private request(): void {
    this.asked = requestAnimationFrame((ms) => this.frame(ms));
  }

  private frame(ms: number): void {
    if (!this.isPlaying) return;
    const passed_ms = Math.max(0, ms - this.last_ms);
    if (!this.isCalm() || passed_ms >= Player.CALM_STEP_MS) {
      this.last_ms = ms;
      // After a pause of the browser, the time continues from where it stopped.
      const step_ms = this.isCalm() ? passed_ms : Math.min(passed_ms, 100);
      // The time stops while the simulation is behind, for example after a jump ahead.
      this.now_ns = Math.max(this.now_ns, Math.min(this.now_ns + step_ms * 1e6 * this.speed, this.limit()));
      this.show(this.now_ns);
    }
    this.request();
  }
}
