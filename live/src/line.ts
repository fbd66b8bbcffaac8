// Lines through many points over time: points that share a pixel are drawn as one range.

/** Distance in pixels below which points are merged. */
const PIXEL = 0.5;

/** A line that is drawn from left to right, point by point. */
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
