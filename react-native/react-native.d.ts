// Which part of React Native is used? Types for checking this repository; not published.

declare module 'react-native' {
  export interface TurboModule {}
  export const TurboModuleRegistry: { get<Module extends TurboModule>(name: string): Module | null }
}
