// Package thumbnail captures the small images of pages that the journal has beside the steps of agents.
package thumbnail

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"time"

	"cove/internal/page"
	"cove/internal/page/capture"
)

const (
	// captureLimit is how long a capture may take.
	captureLimit = 2 * time.Second
	// width is about how many pixels wide a thumbnail is.
	width = 480
)

// Capture returns an image of the page as it is now; nil when there is none.
func Capture(t *page.Tab) []byte {
	ctx, cancel := context.WithTimeout(context.Background(), captureLimit)
	defer cancel()

	// The image is scaled here: if the browser did that, it would lay the page out anew.
	p, err := t.Camera.Screenshot(ctx, capture.Shot{Format: "jpeg", Quality: 50})
	if err != nil {
		return nil
	}
	return shrink(p.Data)
}

// shrink scales a JPEG image to about width.
func shrink(data []byte) []byte {
	from, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		return nil
	}

	large, ok := from.(*image.YCbCr)
	size := from.Bounds().Size()
	step := (size.X + width - 1) / width
	if !ok || step <= 1 {
		return data
	}

	small := image.NewYCbCr(image.Rect(0, 0, size.X/step, size.Y/step), large.SubsampleRatio)
	if small.Bounds().Empty() {
		return nil
	}
	average(small.Y, large.Y, small.YStride, large.YStride, step)
	average(small.Cb, large.Cb, small.CStride, large.CStride, step)
	average(small.Cr, large.Cr, small.CStride, large.CStride, step)

	var out bytes.Buffer
	if jpeg.Encode(&out, small, &jpeg.Options{Quality: 60}) != nil {
		return nil
	}
	return out.Bytes()
}

// average fills a plane of an image with the means of squares of a larger one.
func average(to, from []byte, columns, stride, step int) {
	for i := range to {
		at := i/columns*step*stride + i%columns*step
		sum, n := 0, 0
		for y := at; y < at+step*stride && y < len(from); y += stride {
			for _, v := range from[y:min(y+step, len(from))] {
				sum, n = sum+int(v), n+1
			}
		}
		if n > 0 {
			to[i] = byte(sum / n) //nolint:gosec // a mean of bytes
		}
	}
}
