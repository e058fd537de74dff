# How does CocoaPods build the Objective-C half? With the Swift package beside it, which React Native 0.75 and later can add.
Pod::Spec.new do |spec|
  spec.name = 'RingfenceReactNative'
  spec.version = '1.2.0'
  spec.summary = 'Device intelligence and sign-in of Ringfence in React Native'
  spec.license = 'Apache-2.0'
  spec.author = 'Ringfence'
  # The URL of the Swift package of the release.
  package = ENV['RINGFENCE_PACKAGE'] || 'file://' + File.expand_path('..', __dir__)
  spec.homepage = package
  spec.source = { git: package, tag: spec.version.to_s }
  spec.platform = :ios, '13.0'
  spec.source_files = 'ios/*.{h,m,mm}'
  install_modules_dependencies(spec) # of React Native: its headers, and what codegen writes
  spm_dependency(spec,
    url: package,
    requirement: { kind: 'upToNextMajorVersion', minimumVersion: '1.2.0' },
    products: ['DeviceIntelligence', 'HeadlessAuthentication'])
end
