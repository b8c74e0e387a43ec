package chromium

import "context"

func candidates() []candidate {
	return []candidate{
		{"Google Chrome", "google-chrome-stable"}, {"Google Chrome", "google-chrome"},
		{"Google Chrome", "/opt/google/chrome/chrome"},
		{"Chromium", "chromium"}, {"Chromium", "chromium-browser"}, {"Chromium", "/usr/lib/chromium/chromium"},
		{"Microsoft Edge", "microsoft-edge-stable"}, {"Microsoft Edge", "microsoft-edge"},
		{"Brave", "brave-browser"}, {"Brave", "brave"},
	}
}

func readVersion(ctx context.Context, path string) (string, error) { return runVersion(ctx, path) }
