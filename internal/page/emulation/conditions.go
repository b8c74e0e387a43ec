package emulation

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"cove/internal/fault"
)

// Viewport is an emulated window.
type Viewport struct {
	Width, Height            int
	Scale                    float64
	Mobile, Touch, Landscape bool
}

// ParseViewport reads a viewport such as 400x800x2,mobile,touch.
func ParseViewport(text string) (v Viewport, err error) {
	parts := strings.Split(text, ",")
	numbers := strings.Split(parts[0], "x")
	bad := fault.Invalidf("%q is not a viewport.", text).WithHint(
		"Write WIDTHxHEIGHTxSCALE with mobile, touch, landscape after commas: 400x800x2,mobile,touch.")
	if len(numbers) < 2 || len(numbers) > 3 {
		return v, bad
	}
	w, e1 := strconv.Atoi(numbers[0])
	h, e2 := strconv.Atoi(numbers[1])
	v.Width, v.Height, v.Scale = w, h, 1
	var e3 error
	if len(numbers) == 3 {
		v.Scale, e3 = strconv.ParseFloat(numbers[2], 64)
	}
	fits := w >= 1 && h >= 1 && w <= 10000 && h <= 10000 && v.Scale > 0 && v.Scale <= 10 // false for not a number
	if e1 != nil || e2 != nil || e3 != nil || !fits {
		return v, bad
	}

	for _, word := range parts[1:] {
		switch strings.TrimSpace(word) {
		case "mobile":
			v.Mobile = true
		case "touch":
			v.Touch = true
		case "landscape":
			v.Landscape = true
		default:
			return v, bad
		}
	}
	return v, nil
}

// parseLocation reads a latitude and a longitude such as 52.5,13.4.
func parseLocation(text string) (lat, long float64, err error) {
	a, b, ok := strings.Cut(strings.ReplaceAll(text, "x", ","), ",")
	lat, e1 := strconv.ParseFloat(strings.TrimSpace(a), 64)
	long, e2 := strconv.ParseFloat(strings.TrimSpace(b), 64)
	fits := math.Abs(lat) <= 90 && math.Abs(long) <= 180 // false for not a number
	if !ok || e1 != nil || e2 != nil || !fits {
		return 0, 0, fault.Invalidf("%q is not a place.", text).WithHint("Write latitude,longitude: 52.5,13.4.")
	}
	return lat, long, nil
}

// Describe returns one sentence for each condition in force.
func (c Conditions) Describe() (lines []string) {
	add := func(what, value string) {
		if value != "" && value != "auto" {
			lines = append(lines, "Emulating "+what+": "+value)
		}
	}
	add("network conditions", c.Network)
	add("geolocation", c.Geolocation)
	add("viewport", c.Viewport)
	add("user agent", c.UserAgent)
	if c.CPU > 1 {
		add("CPU throttling", fmt.Sprintf("%gx slowdown", c.CPU))
	}
	add("color scheme", c.ColorScheme)
	add("forced colors", c.ForcedColors)
	add("contrast", c.Contrast)
	add("reduced motion", c.ReducedMotion)
	if len(c.Headers) > 0 {
		add("extra HTTP headers", fmt.Sprint(len(c.Headers)))
	}
	return lines
}
