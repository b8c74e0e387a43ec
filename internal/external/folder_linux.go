package external

import "os"

func candidates() []candidate {
	dir, err := os.UserConfigDir()
	if err != nil {
		return nil
	}
	return under(dir, candidate{"Google Chrome", "google-chrome"},
		candidate{"Google Chrome Beta", "google-chrome-beta"}, candidate{"Chromium", "chromium"},
		candidate{"Microsoft Edge", "microsoft-edge"},
		candidate{"Brave", "BraveSoftware/Brave-Browser"})
}
