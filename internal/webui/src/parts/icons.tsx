// Icons as inline SVG. They say nothing to a screen reader.

// icon makes an icon of a path.
export const icon = (d: string) => () => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    <path d={d} />
  </svg>
)

// Icon is one of the icons below.
export type Icon = ReturnType<typeof icon>

export const Copy = icon(
  'M5.5 5.5v-2a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-2' +
    'M3.5 5.5h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-6a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1z',
)
export const Check = icon('M3 8.5l3.2 3.2L13 4.5')
export const Cross = icon('M4 4l8 8M12 4l-8 8')
export const Profiles = icon('M2.5 4.5h11v8h-11zM2.5 7h11M4.5 2.5h7')
export const Activity = icon('M1.5 8.5h3l2-5 3 9 2-4h3')
export const Plug = icon('M5.5 2v3M10.5 2v3M3.5 5h9v2.5a4.5 4.5 0 0 1-9 0zM8 12v2.5')
export const Proxies = icon('M2 8h12M8 2a6 6 0 1 0 0 12A6 6 0 1 0 8 2M8 2c-3 3.5-3 8.5 0 12M8 2c3 3.5 3 8.5 0 12')
export const Gear = icon('M2.5 4.5h4M9.5 4.5h4M2.5 11.5h1.5M7 11.5h6.5M8 3v3M5.5 10v3')
export const Folder = icon('M1.5 12.5v-9h4.5l1.5 2h7v7z')
export const Trash = icon('M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.7 9h6.6l.7-9')
export const Up = icon('M8 12.5v-9M4.5 7L8 3.5 11.5 7')
export const Down = icon('M8 3.5v9M4.5 9L8 12.5 11.5 9')
export const Fold = icon('M4 6l4 4 4-4')
export const Search = icon('M11 11l3 3M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10z')
export const Lock = icon('M4 7.5h8v6H4zM5.5 7.5v-2a2.5 2.5 0 0 1 5 0v2')
export const Warn = icon('M8 2l6.5 11.5h-13zM8 6.5v3.5M8 11.8v.2')
export const Pause = icon('M5.5 3.5v9M10.5 3.5v9')
export const Play = icon('M5 3l8 5-8 5z')
export const Unplug = icon(
  'M2 2l12 12M5.5 2v1M10.5 2v3M6.5 5h6v2.5a4.5 4.5 0 0 1-.5 2M3.5 5.5v2a4.5 4.5 0 0 0 6 4.2M8 12v2.5',
)
export const More = icon('M3.5 8h.01M8 8h.01M12.5 8h.01')
