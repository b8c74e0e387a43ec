// Film makes an animated GIF of the frames that the pictures of the window were taken with. `make screenshots` runs it.
package main

import (
	"encoding/json"
	"fmt"
	"image"
	"image/draw"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
)

// frame is a picture of the film. Its files are beside the list.
type frame struct {
	Image   string `json:"picture"`
	Caption string `json:"caption"` // a picture, too: it stands below the other
	Time    int    `json:"time"`    // how long it is seen, in milliseconds
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "film:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("use: film LIST.json FILM.gif")
	}
	list, to := args[0], args[1]
	raw, err := os.ReadFile(list)
	if err != nil {
		return err
	}
	var frames []frame
	if err := json.Unmarshal(raw, &frames); err != nil {
		return fmt.Errorf("%s: %w", list, err)
	}

	var f film
	for _, one := range frames {
		picture, err := one.read(filepath.Dir(list))
		if err != nil {
			return err
		}
		f.add(picture, one.Time)
	}

	out, err := os.Create(to)
	if err != nil {
		return err
	}
	if err := gif.EncodeAll(out, &f.out); err != nil {
		_ = out.Close()
		return err
	}
	return out.Close()
}

// read reads the picture with its caption below it.
func (f frame) read(dir string) (*image.RGBA, error) {
	picture, err := readPNG(filepath.Join(dir, f.Image))
	if err != nil {
		return nil, err
	}
	caption, err := readPNG(filepath.Join(dir, f.Caption))
	if err != nil {
		return nil, err
	}
	size := picture.Bounds().Size()
	below := image.Rect(0, size.Y, size.X, size.Y+caption.Bounds().Dy())
	out := image.NewRGBA(image.Rect(0, 0, size.X, below.Max.Y))
	draw.Draw(out, image.Rectangle{Max: size}, picture, picture.Bounds().Min, draw.Src)
	draw.Draw(out, below, caption, caption.Bounds().Min, draw.Src)
	return out, nil
}

func readPNG(name string) (image.Image, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	picture, err := png.Decode(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return picture, nil
}
