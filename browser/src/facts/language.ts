// Which language does the person prefer?

export const language = () => navigator.language
