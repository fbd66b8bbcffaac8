// Lines of many points over time: of the points within one pixel only the range is drawn.

/** Distance below which points count as one. */
const PIXEL = 0.5;

/** A line from left to right. */
export class Line {
  private x = Number.NEGATIVE_INFINITY;
  private high = 0;
  private low = 0;
  private last = 0;

  constructor(private readonly context: CanvasRenderingContext2D) {
    context.beginPath();
  }

  to(x: number, y: number): void {
    if (x - this.x < PIXEL) {
      [this.high, this.low, this.last] = [Math.min(this.high, y), Math.max(this.low, y), y];
      return;
    }
    this.put();
    this.x = x;
    this.high = this.low = this.last = y;
    this.context.lineTo(x, y);
  }

  private put(): void {
    if (this.high === this.low) return;
    this.context.lineTo(this.x, this.high);
    this.context.lineTo(this.x, this.low);
    this.context.lineTo(this.x, this.last);
  }

  stroke(): void {
    this.put();
    this.context.stroke();
  }
}
