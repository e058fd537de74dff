// Which sheets have the parts of pages? All of this folder, loaded with the console: the sheet of a page comes after them, in whatever order pages are visited.

import.meta.glob('./**/*.css', { eager: true })
